#include "bad_input/peak_memory.hpp"

#include <malloc.h>

#include <cstdlib>
#include <new>

namespace {

std::size_t allocated = 0;
std::size_t baseline = 0;
std::size_t peak = 0;

/// Null where there is no memory.
void* try_allocate(std::size_t size) noexcept {
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) return nullptr;
  allocated += malloc_usable_size(memory);
  if (allocated > peak) peak = allocated;
  return memory;
}

void* allocate(std::size_t size) {
  void* const memory = try_allocate(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void release(void* memory) {
  if (memory == nullptr) return;
  allocated -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) {
  return allocate(size);
}
void* operator new[](std::size_t size) {
  return allocate(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return try_allocate(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return try_allocate(size);
}
void operator delete(void* memory) noexcept {
  release(memory);
}
void operator delete[](void* memory) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  release(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  release(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  release(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  release(memory);
}

namespace mabkit::test {

void reset_peak_memory() {
  baseline = allocated;
  peak = allocated;
}

std::size_t peak_memory() {
  return peak - baseline;
}

}  // namespace mabkit::test
