// A launch: distributes the threadgroups over OS threads and collects what they report.
#include <sys/mman.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "worker.h"

namespace {
// OS threads that stay. Worker 0 is the caller's.
struct Pool {
  std::vector<std::thread> threads;
  std::vector<std::unique_ptr<Worker>> workers;
  std::mutex mutex;
  std::condition_variable start, done;
  std::function<void(Worker*)> job;
  uint64_t generation = 0;
  uint32_t wanted = 0, left = 0;

  void serve(size_t id) {
    uint64_t seen = 0;
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      start.wait(lock, [&] { return generation != seen && id < wanted; });
      seen = generation;
      Worker* w = workers[id].get();
      auto work = job;
      lock.unlock();
      work(w);
      lock.lock();
      if (--left == 0) done.notify_all();
    }
  }
  void run(uint32_t n, const std::function<void(Worker*)>& work) {
    {
      std::unique_lock<std::mutex> lock(mutex);
      while (workers.size() < n) workers.push_back(std::make_unique<Worker>());
      job = work;
      wanted = n;
      left = n - 1;
      generation++;
      while (threads.size() + 1 < n) threads.emplace_back([this, id = threads.size() + 1] { serve(id); });
    }
    if (n > 1) start.notify_all();
    work(workers[0].get());
    std::unique_lock<std::mutex> lock(mutex);
    done.wait(lock, [&] { return left == 0; });
  }
};
Pool& pool() {
  static Pool* p = new Pool;  // never destroyed: its threads wait until the process ends
  return *p;
}

// The order in which a random run takes the groups.
std::vector<uint32_t> shuffled(uint64_t n, uint64_t seed) {
  std::vector<uint32_t> order(n);
  for (uint64_t i = 0; i < n; i++) order[i] = (uint32_t)i;
  uint64_t r = seed * 0x9e3779b97f4a7c15ull + 7;
  for (uint64_t i = n; i > 1; i--) {
    r ^= r << 13;
    r ^= r >> 7;
    r ^= r << 17;
    std::swap(order[i - 1], order[(r >> 16) % i]);
  }
  return order;
}

void place_group(mh_group& g, const mh_launch& launch, const uint32_t groups[3], uint64_t id) {
  const uint32_t at[3] = {(uint32_t)(id % groups[0]), (uint32_t)(id / groups[0] % groups[1]),
                          (uint32_t)(id / groups[0] / groups[1])};
  uint32_t size[3], grid[3];
  for (int d = 0; d < 3; d++) {
    size[d] = launch.group[d];
    grid[d] = groups[d] * launch.group[d];
    if (!launch.by_threads) continue;
    grid[d] = launch.grid[d];
    const uint32_t rest = launch.grid[d] - at[d] * launch.group[d];
    if (rest < size[d]) size[d] = rest;
  }
  g.position = {at[0], at[1], at[2]};
  g.full = {launch.group[0], launch.group[1], launch.group[2]};
  g.size = {size[0], size[1], size[2]};
  g.groups = {groups[0], groups[1], groups[2]};
  g.grid = {grid[0], grid[1], grid[2]};
  g.threads = size[0] * size[1] * size[2];
  g.simd_groups = (g.threads + MH_LANES - 1) / MH_LANES;
}

void reset(Worker* w, mh_launch* launch, void* const* bound) {
  current_worker = w;
  w->launch = launch;
  w->args.buffers = bound;
  w->flags = launch->flags;
  w->random = launch->seed * 2654435761u + 88172645463325252ull;
  w->switches = w->simd_operations = w->barriers = w->divergent = w->tg_most = 0;
  memset(&w->report, 0, sizeof w->report);
  memset(&w->note, 0, sizeof w->note);
  w->running = &w->main_fiber;
  w->main_fiber.job = nullptr;
  w->main_fiber.fake = nullptr;
}

// A function of its own: sigsetjmp may return twice, and no local variable of the caller may be lost by that.
__attribute__((noinline)) bool run_or_fault(Worker* w) {
  if (sigsetjmp(w->escape, 0)) {
    w->in_group = false;
    reset_fibers(w);
    find_module(w->report);
    return false;
  }
  w->in_group = true;
  const bool fine = run_group(w);
  w->in_group = false;
  return fine;
}

void collect(mh_launch* launch, const Worker* w) {
  launch->switches += w->switches;
  launch->simd_operations += w->simd_operations;
  launch->barriers += w->barriers;
  launch->divergent += w->divergent;
  if (w->tg_most > launch->tg_bytes) launch->tg_bytes = w->tg_most;
  if (w->report.kind && !launch->report.kind) launch->report = w->report;
  if (w->note.present && !launch->note.present) launch->note = w->note;
}
}  // namespace

extern "C" const char* mh_switch_kind() { return switch_kind; }

extern "C" const mh_site* mh_variable(uint32_t number) {
  const auto& workers = pool().workers;
  if (workers.empty() || number >= workers[0]->variables.size()) return nullptr;
  return &workers[0]->variables[number].site;
}

extern "C" int mh_run(mh_launch* launch) {
  // One launch at a time: workers are shared. Callers are threads of any kind.
  static std::mutex one_at_a_time;
  std::lock_guard<std::mutex> only(one_at_a_time);
  launch->threads = launch->groups = launch->switches = launch->simd_operations = launch->barriers = launch->divergent = 0;
  launch->tg_bytes = 0;
  memset(&launch->report, 0, sizeof launch->report);
  memset(&launch->note, 0, sizeof launch->note);
  // What is not bound reads as zeros, as on a GPU: MLX's kernels read arguments that they do not use.
  static void* zeros = mmap(nullptr, 1 << 16, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  void* bound[MH_BUFFERS + 1];
  for (uint32_t i = 0; i <= MH_BUFFERS; i++) {
    const bool has = i < launch->buffer_count && launch->buffers[i].base;
    bound[i] = has ? launch->buffers[i].base : zeros;
  }
  uint32_t groups[3];
  for (int d = 0; d < 3; d++)
    groups[d] = launch->by_threads ? (launch->grid[d] + launch->group[d] - 1) / launch->group[d] : launch->grid[d];
  const uint64_t total = (uint64_t)groups[0] * groups[1] * groups[2];
  uint32_t workers = launch->workers ? launch->workers : std::thread::hardware_concurrency();
  if ((launch->flags & MH_RANDOM) || thread_sanitizer || address_sanitizer) workers = 1;
  if (workers > total) workers = total ? (uint32_t)total : 1;
  std::vector<uint32_t> order;
  if (launch->flags & MH_RANDOM) order = shuffled(total, launch->seed);

  std::atomic<uint64_t> next{0}, threads{0};
  std::atomic<bool> stop{false};
  std::mutex results;
  const uint64_t share = total / (workers * 8), chunk = workers == 1 ? (total ? total : 1) : share ? share : 1;
  const auto begin = std::chrono::steady_clock::now();
  FaultHandlers handlers;
  TimeLimit limit(launch);
  pool().run(workers, [&](Worker* w) {
    reset(w, launch, bound);
    FaultStack stack;
    uint64_t mine = 0;
    for (uint64_t c; !stop && (c = next.fetch_add(chunk)) < total;)
      for (uint64_t i = c; i < c + chunk && i < total && !stop; i++) {
        const uint64_t id = !order.empty() ? order[i] : (launch->flags & MH_REVERSE) ? total - 1 - i : i;
        place_group(w->group, *launch, groups, id);
        mine += w->group.threads;
        if (!run_or_fault(w)) stop = true;
      }
    mh_current = nullptr;
    threads += mine;
    release_sanitized(w);
    std::lock_guard<std::mutex> lock(results);
    collect(launch, w);
  });
  launch->nanoseconds = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
  launch->threads = threads;
  launch->groups = total;
  return launch->report.kind ? 1 : 0;
}
