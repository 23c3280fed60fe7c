// snippet: Swinject declare
import Peapod
// end
import Testing

// snippet: Swinject declare
private protocol Engine: Sendable { var power: Int { get } }
private struct ElectricEngine: Engine { let power = 150 }

private final class Car: Sendable {
  let owner: String
  let engine: any Engine
  init(owner: String, engine: any Engine) {
    self.owner = owner
    self.engine = engine
  }
}

private let engineProvider = Provider<any Engine> { _ in ElectricEngine() }
private let carProvider = Provider.family(scope: .alwaysCreateNew) { (pod, owner: String) in
  Car(owner: owner, engine: pod.resolve(engineProvider))
}
// end

// snippet: Swinject forward
private protocol Reader: Sendable { func read() -> String }
private protocol Writer: Sendable { func write(_ text: String) }
private final class File: Reader, Writer {
  func read() -> String { "text" }
  func write(_ text: String) {}
}

private let fileProvider = Provider { _ in File() }
private let readerProvider = Provider<any Reader> { pod in pod.resolve(fileProvider) }
private let writerProvider = Provider<any Writer> { pod in pod.resolve(fileProvider) }
// end

// snippet: Swinject loop
private final class Parent: Sendable {
  let child: Child
  init(child: Child) { self.child = child }
}
private final class Child: Sendable {
  let parent: @Sendable () -> Parent
  init(parent: @escaping @Sendable () -> Parent) { self.parent = parent }
}

private let parentProvider: Provider<Parent> = Provider { pod in Parent(child: pod.resolve(childProvider)) }
private let childProvider = Provider { pod in Child(parent: pod.factory(parentProvider)) }
// end

// snippet: Swinject scope
private struct SessionScope: ProviderScope {}

private final class Cart: Sendable {}
private let cartProvider = Provider(scope: SessionScope()) { _ in Cart() }
// end

// snippet: Swinject assembly
private final class Battery: Sendable {}
private struct Scooter: Sendable {
  let color: String
  let battery: Battery
}

private let batteryProvider = Provider { _ in Battery() }
private let scooterProvider = Provider.family(scope: .alwaysCreateNew) { (pod, color: String) in
  Scooter(color: color, battery: pod.resolve(batteryProvider))
}
// end

// snippet: Swinject later
private struct Rental: Sendable {
  let first: Lazy<Battery>
  let next: @Sendable () -> Battery
}

private let spareBatteryProvider = Provider(scope: .alwaysCreateNew) { _ in Battery() }
private let rentalProvider = Provider { pod in
  Rental(first: pod.lazy(batteryProvider), next: pod.factory(spareBatteryProvider))
}
// end

@Suite("Migrating from Swinject", .transcript)
struct SwinjectTests {
  @Test("Declaring, resolving with an argument, forwarding and loops")
  func basics() throws {
    // snippet: Swinject resolve
    let pod = Pod()
    let car = pod.resolve(carProvider("Ada"))
    print(car.owner, car.engine.power)
    // end
    try expectOutput(of: "Swinject resolve")
    #expect((pod.resolve(readerProvider) as? File) === (pod.resolve(writerProvider) as? File))
    let parent = pod.resolve(parentProvider)
    #expect(parent.child.parent() === parent)
  }

  @Test("Arguments in place of autoregistration, and handles in place of Lazy and Provider")
  func handles() throws {
    let pod = Pod()
    let scooter = pod.resolve(scooterProvider("red"))
    #expect(scooter.color == "red" && scooter.battery === pod.resolve(batteryProvider))
    // snippet: Swinject later use
    let rental = pod.resolve(rentalProvider)
    print(rental.first.value === pod.resolve(batteryProvider))
    print(rental.next() === rental.next())
    // end
    try expectOutput(of: "Swinject later use")

    let cart = pod.resolve(cartProvider)
    // snippet: Swinject clear
    pod.clearCachedInstances(forScope: SessionScope())
    // end
    #expect(pod.resolve(cartProvider) !== cart)
  }

  @Test("A child in place of a child container")
  func child() throws {
    let pod = Pod()
    // snippet: Swinject child
    struct DieselEngine: Engine { let power = 110 }

    let garage = pod.makeChild("garage") {
      $0.overrideProvider(engineProvider) { _ in DieselEngine() }
    }
    print(garage.resolve(carProvider("Bob")).engine.power)
    print(pod.resolve(carProvider("Bob")).engine.power)
    // end
    try expectOutput(of: "Swinject child")
  }
}
