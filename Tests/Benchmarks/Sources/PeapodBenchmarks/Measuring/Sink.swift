import CBenchmarkSupport
import Peapod

// What a row resolves, and what its baseline reads, ends in one of these calls. They are never inlined and hand the value
// to a function in C, so that the value has to be made, retained before the call and released after it, in both alike.

@inline(never) func consume(_ value: consuming Service) {
  benchmark_sink(Unmanaged.passUnretained(value).toOpaque())
}

@inline(never) func consume(_ value: consuming PaddedService) {
  benchmark_sink(Unmanaged.passUnretained(value).toOpaque())
}

@inline(never) func consume(_ value: consuming any Greeter) {
  _ = benchmark_opaque(Int64(value.greet()))
}

@inline(never) func consume(_ value: consuming LargeValue) {
  withUnsafePointer(to: value) { benchmark_sink($0) }
}

@inline(never) @MainActor func consume(_ value: consuming Model) {
  benchmark_sink(Unmanaged.passUnretained(value).toOpaque())
}

@inline(never) func consume(_ value: consuming Client) {
  benchmark_sink(Unmanaged.passUnretained(value).toOpaque())
}

@inline(never) func consume(_ value: consuming Node) {
  benchmark_sink(Unmanaged.passUnretained(value).toOpaque())
}

@inline(never) func consume(_ value: consuming Hub) {
  benchmark_sink(Unmanaged.passUnretained(value).toOpaque())
}

@inline(never) func consume(_ value: consuming Pod) {
  benchmark_sink(Unmanaged.passUnretained(value).toOpaque())
}

@inline(never) func consume(_ value: consuming Provider<Service>) {
  withUnsafePointer(to: value) { benchmark_sink($0) }
}

// Objects that are made in a loop outlive the next few, as most objects do.

@inline(never) func consume(_ value: consuming Service, into recent: inout Recent<Service>) {
  benchmark_sink(Unmanaged.passUnretained(value).toOpaque())
  recent.keep(value)
}

@inline(never) @MainActor func consume(_ value: consuming Model, into recent: inout Recent<Model>) {
  benchmark_sink(Unmanaged.passUnretained(value).toOpaque())
  recent.keep(value)
}

@inline(never) func consume(_ value: consuming Client, into recent: inout Recent<Client>) {
  benchmark_sink(Unmanaged.passUnretained(value).toOpaque())
  recent.keep(value)
}

// What only looks at a value borrows it: nothing is retained for the call.

@inline(never) func inspect(_ value: Service) {
  benchmark_sink(Unmanaged.passUnretained(value).toOpaque())
}

@inline(never) func inspect(_ value: borrowing any Greeter) {
  _ = benchmark_opaque(Int64(value.greet()))
}

@inline(never) func inspect(_ value: borrowing LargeValue) {
  withUnsafePointer(to: value) { benchmark_sink($0) }
}
