#include "convert/child_process.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>

namespace mabkit {
namespace {

using namespace std::chrono_literals;
using End = ChildOutcome::End;

Result<ChildOutcome> shell(const std::string& script, ChildLimits limits = {10s, 1000}) {
  return run_child("/bin/sh", {"-c", script}, limits);
}

TEST(ChildProcess, WhatItWritesAndItsExitCodeComeBack) {
  const auto child = shell("echo out; echo err >&2; exit 3");
  ASSERT_TRUE(child);
  EXPECT_EQ(child->end, End::exited);
  EXPECT_EQ(child->code, 3);
  EXPECT_EQ(child->output, "out\n");
  EXPECT_EQ(child->errors, "err\n");
}

TEST(ChildProcess, ArgumentsAreNoShellText) {
  const auto child = run_child("/bin/echo", {"a b", "$HOME;", "*"}, {10s, 1000});
  ASSERT_TRUE(child);
  EXPECT_EQ(child->output, "a b $HOME; *\n");
}

TEST(ChildProcess, HasNoInput) {
  const auto child = shell("cat; echo end");
  ASSERT_TRUE(child);
  EXPECT_EQ(child->output, "end\n");
}

TEST(ChildProcess, AKilledOneSaysItsSignal) {
  const auto child = shell("kill -SEGV $$");
  ASSERT_TRUE(child);
  EXPECT_EQ(child->end, End::killed);
  EXPECT_EQ(child->code, SIGSEGV);
}

TEST(ChildProcess, ASlowOneIsEndedWithWhatItStarted) {
  const auto start = std::chrono::steady_clock::now();
  const auto child = shell("sleep 60 & sleep 60", {200ms, 1000});
  ASSERT_TRUE(child);
  EXPECT_EQ(child->end, End::took_too_long);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
}

TEST(ChildProcess, OneThatClosesItsOutputButGoesOnIsEndedToo) {
  const auto child = shell("exec >&- 2>&-; sleep 60", {200ms, 1000});
  ASSERT_TRUE(child);
  EXPECT_EQ(child->end, End::took_too_long);
}

TEST(ChildProcess, OneThatWritesWithoutEndIsEnded) {
  const auto child = shell("yes", {30s, 100'000});
  ASSERT_TRUE(child);
  EXPECT_EQ(child->end, End::wrote_too_much);
  EXPECT_LE(child->output.size(), 100'001U);
}

TEST(ChildProcess, OutputUpToTheLimitIsLawful) {
  const auto child = shell("printf 12345", {10s, 5});
  ASSERT_TRUE(child);
  EXPECT_EQ(child->end, End::exited);
  EXPECT_EQ(child->output, "12345");
}

TEST(ChildProcess, ErrorsAreCutButDoNotStopIt) {
  const auto child = shell("yes | head -c 100000 >&2; echo done");
  ASSERT_TRUE(child);
  EXPECT_EQ(child->end, End::exited);
  EXPECT_EQ(child->output, "done\n");
  EXPECT_LE(child->errors.size(), 4096U);
}

TEST(ChildProcess, AProgramThatIsNotThereIsAnError) {
  const auto child = run_child("/nonexistent/program", {}, {10s, 1000});
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error().code, ErrorCode::io);
}

TEST(ChildProcess, OwnFolderHoldsThisProgram) {
  const auto folder = own_folder();
  ASSERT_TRUE(folder);
  EXPECT_TRUE(std::filesystem::is_directory(*folder));
}

}  // namespace
}  // namespace mabkit
