// The part of Metal's standard library that compute kernels use, for a C++17 compiler on the CPU.
#pragma once
#include "mh/atomic.hpp"
#include "mh/bind.hpp"
#include "mh/matrix.hpp"
