#include <gtest/gtest.h>

#include <chrono>
#include <mabkit/batch.hpp>
#include <numeric>
#include <set>
#include <thread>

namespace mabkit {
namespace {

TEST(RunInOrder, ReportsComeInOrderHoweverLongTheWorkTakes) {
  std::vector<std::size_t> reported;
  const std::atomic<bool> stop{false};
  const std::size_t called = run_in_order(60, 8, stop, [&](std::size_t i) -> Report {
    std::this_thread::sleep_for(std::chrono::microseconds((i * 7919) % 1500));
    return [&reported, i] { reported.push_back(i); };
  });
  std::vector<std::size_t> expected(60);
  std::iota(expected.begin(), expected.end(), 0U);
  EXPECT_EQ(reported, expected);
  EXPECT_EQ(called, 60U);
}

TEST(RunInOrder, WorkIsSpreadOverThreads) {
  std::set<std::thread::id> threads;
  const std::atomic<bool> stop{false};
  run_in_order(16, 4, stop, [&](std::size_t) -> Report {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return [&threads, id = std::this_thread::get_id()] { threads.insert(id); };
  });
  EXPECT_GT(threads.size(), 1U);
}

TEST(RunInOrder, NoWorkBeginsAfterTheStop) {
  std::atomic<bool> stop{false};
  std::vector<std::size_t> reported;
  const std::size_t called = run_in_order(100, 1, stop, [&](std::size_t i) -> Report {
    if (i == 4) stop = true;
    return [&reported, i] { reported.push_back(i); };
  });
  EXPECT_EQ(reported, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(called, 5U);
}

TEST(RunInOrder, NothingToDoIsDone) {
  const std::atomic<bool> stop{false};
  EXPECT_EQ(run_in_order(0, 4, stop, [](std::size_t) { return Report([] {}); }), 0U);
}

}  // namespace
}  // namespace mabkit
