import Peapod
import Testing

/// Many isolated pods and blocks at the same time.
@Suite(.serialized, .timeLimit(.minutes(20))) struct CrowdTests {
  @Test("R18 R19 R20 10,000 tasks with a child pod each see their own value everywhere, and leave nothing")
  func children() async {
    let crowd = Crowd()
    do {
      let root = Pod("root")
      let tasks = rounds(10_000)
      let agreed = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<tasks {
          group.addTask {
            let child = root.makeChild("child", owning: [OwnedScope()]) {
              $0.overrideProvider(crowd.value, withValue: number)
            }
            guard crowd.agrees(in: child, value: number, sharing: nil) else { return false }
            await Task.yield()
            let shared = crowd.untouched.map { root.resolve($0) }
            return crowd.agrees(in: child.makeChild(), value: number, sharing: shared)
          }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(agreed == tasks)
      #expect(crowd.built.value == 20)
      #expect(crowd.census.alive == 20)
      #expect(crowd.census.born == 20 + 9 * tasks)
      #expect(crowd.agrees(in: root, value: -1, sharing: crowd.untouched.map { root.resolve($0) }))
      #expect(crowd.census.alive == 29)
    }
    #expect(crowd.census.alive == 0)
  }

  @Test("R18 R19 the same with withChild, whose operation suspends")
  func withChild() async {
    let crowd = Crowd()
    do {
      let root = Pod("root")
      let tasks = rounds(2_000)
      let agreed = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<tasks {
          group.addTask {
            await root.withChild(
              owning: [OwnedScope()], configure: { $0.overrideProvider(crowd.value, withValue: number) }
            ) { child in
              async let inChildTask = crowd.agrees(in: Pod.current, value: number, sharing: nil)
              let here = crowd.agrees(in: child, value: number, sharing: nil)
              return await inChildTask && here
            }
          }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(agreed == tasks)
      #expect(crowd.built.value == 20)
      #expect(crowd.census.alive == 20)
    }
    #expect(crowd.census.alive == 0)
  }

  @Test("R18 1,000 blocks at once on one global pod never mix, nested ones and child tasks included")
  func blocks() async {
    let crowd = Crowd()
    let pod = Pod.shared
    let outside = crowd.untouched.map { pod.resolve($0) }
    let blocks = rounds(1_000)
    let agreed = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<blocks {
        group.addTask {
          await pod.withOverrides({ $0.overrideProvider(crowd.value, withValue: number) }) {
            let mine = crowd.untouched.map { pod.resolve($0) }
            guard zip(mine, outside).allSatisfy({ $0 !== $1 }) else { return false }
            async let letTask = crowd.agrees(in: pod, value: number, sharing: mine)
            let inGroup = await withTaskGroup(of: Bool.self) { inner in
              for _ in 0..<2 {
                inner.addTask {
                  await Task.yield()
                  return crowd.agrees(in: pod, value: number, sharing: mine)
                }
              }
              return await inner.allSatisfy { $0 }
            }
            let nested = await pod.withOverrides({ $0.overrideProvider(crowd.value, withValue: -number - 2) }) {
              await Task.yield()
              async let child = crowd.agrees(in: pod, value: -number - 2, sharing: nil)
              let new = zip(mine, crowd.untouched).allSatisfy { $0 !== pod.resolve($1) }
              return await child && new
            }
            let afterwards = crowd.agrees(in: pod, value: number, sharing: mine)
            let inTask = await Task { crowd.agrees(in: pod, value: number, sharing: mine) }.value
            return await letTask && inGroup && nested && afterwards && inTask
          }
        }
        if number.isMultiple(of: 10) {
          group.addTask { crowd.agrees(in: pod, value: -1, sharing: outside) }
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(agreed == blocks + blocks / 10)
    #expect(crowd.agrees(in: pod, value: -1, sharing: outside))
    // What is left is what was resolved outside of the blocks.
    #expect(crowd.census.alive == 29)
    (crowd.untouched + crowd.touched).forEach { pod.clearCachedInstance(of: $0) }
    #expect(crowd.census.alive == outside.count)
  }

  @Test("R18 blocks on threads of their own never mix")
  func blocksOnThreads() async throws {
    let crowd = Crowd()
    let pod = Pod("global")
    let agreed = try await runThreads(8) { thread in
      (0..<rounds(200)).allSatisfy { turn in
        let number = thread * 1_000 + turn
        return pod.withOverrides({ $0.overrideProvider(crowd.value, withValue: number) }) {
          crowd.agrees(in: pod, value: number, sharing: nil)
            && pod.withOverrides({ _ in }) { crowd.agrees(in: pod, value: number, sharing: nil) }
        }
      }
    }
    #expect(agreed.allSatisfy { $0 })
    await eventually("everything goes") { crowd.census.alive == 0 }
    #expect(!crowd.untouched.contains { pod.isCached($0) })
  }
}
