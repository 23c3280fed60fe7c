// snippet: XServiceLocator declare
import Peapod
// end
import Testing

// snippet: XServiceLocator declare
private protocol Shape: Sendable { var name: String { get } }
private struct Circle: Shape {
  let name = "circle"
  let radius: Double
}

private let radiusProvider = Provider { _ in 30.0 }
private let circleProvider = Provider(scope: .alwaysCreateNew) { pod in
  Circle(radius: pod.resolve(radiusProvider))
}
private let shapeProvider = Provider<any Shape> { pod in pod.resolve(circleProvider) }
// end

// snippet: XServiceLocator array
private let experimentalShapeProvider = Provider<(any Shape)?> { _ in nil }
private let firstShapeProvider = Provider<any Shape> { pod in
  pod.resolve(experimentalShapeProvider) ?? pod.resolve(shapeProvider)
}
// end

@Suite("Migrating from XServiceLocator", .transcript)
struct XServiceLocatorTests {
  @Test("Resolving, a child and a fallback")
  func basics() throws {
    // snippet: XServiceLocator use
    let pod = Pod()
    print(pod.resolve(shapeProvider).name, pod.resolve(circleProvider).radius)

    let small = pod.makeChild { $0.overrideProvider(radiusProvider, withValue: 1) }
    print(small.resolve(circleProvider).radius)
    // end
    try expectOutput(of: "XServiceLocator use")
  }

  @Test("A choice in place of an array of resolvers")
  func array() {
    struct Square: Shape { let name = "square" }

    let pod = Pod()
    #expect(pod.resolve(firstShapeProvider).name == "circle")
    pod.overrideProvider(experimentalShapeProvider) { _ in Square() }
    #expect(pod.resolve(firstShapeProvider).name == "square")
  }
}
