#include <algorithm>
#include <mabkit/batch.hpp>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace mabkit {
namespace {

/// Holds reports back until every earlier one has been called.
class OrderedReports {
 public:
  explicit OrderedReports(std::size_t count) : waiting_(count) {}

  void hand_in(std::size_t index, Report report) {
    const std::lock_guard lock(mutex_);
    waiting_[index] = std::move(report);
    for (; next_ < waiting_.size() && waiting_[next_]; ++next_) {
      if (const Report ready = *std::exchange(waiting_[next_], std::nullopt)) ready();
    }
  }

  [[nodiscard]] std::size_t called() const { return next_; }

 private:
  std::mutex mutex_;
  std::vector<std::optional<Report>> waiting_;
  std::size_t next_ = 0;
};

}  // namespace

std::size_t run_in_order(std::size_t count, unsigned jobs, const std::atomic<bool>& stop,
                         const std::function<Report(std::size_t)>& work) {
  OrderedReports reports(count);
  std::atomic<std::size_t> next{0};
  // Work is taken in order and what was taken is finished, so that no report waits for ever.
  const auto take_work = [&] {
    while (!stop) {
      const std::size_t index = next++;
      if (index >= count) return;
      reports.hand_in(index, work(index));
    }
  };

  std::vector<std::thread> threads;
  const std::size_t threads_wanted = std::min<std::size_t>(std::max(jobs, 1U), count);
  for (std::size_t i = 1; i < threads_wanted; ++i) {
    try {
      threads.emplace_back(take_work);
    } catch (const std::system_error&) {
      break;  // no further threads to be had: those that run do the work
    }
  }
  take_work();
  for (std::thread& thread : threads) thread.join();
  return reports.called();
}

unsigned default_jobs() {
  return std::max(std::thread::hardware_concurrency(), 1U);
}

}  // namespace mabkit
