// The runtime as one unit: it is compiled on the user's machine, and one file takes a third of the time.
#include <cstdio>

#include "stacks.cpp"
#include "schedule.cpp"
#include "group.cpp"
#include "fault.cpp"
#include "buffers.cpp"
#include "calls.cpp"
#include "limit.cpp"
#include "launch.cpp"
