// In front of MLX's file of this name, which calls builtins of Apple's compiler: mh/math.hpp has these functions.
#pragma once
