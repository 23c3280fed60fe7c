import Peapod

// The operations of the rows of scale, and the same objects with manual wiring.

extension Twin {
  /// A request in a pod that both threads share.
  static let request: Twin = {
    let (pod, server) = (Pod("server"), ManualServer())
    return Twin("wiring the same objects") { count in
      let requester = Service()
      return { for number in 0..<count { answerRequest(number, of: requester, in: pod) } }
    } baseline: { count in
      let requester = Service()
      return { for number in 0..<count { answerRequest(number, of: requester, in: server) } }
    }
  }()

  /// A child of a pod that both threads share, and an object with a reference to a shared object.
  static let child: Twin = {
    let (pod, parent) = (Pod("parent"), Service())
    return Twin("making an object with a parent") {
      consume(pod.makeChild())
    } against: {
      consume(Client(parent))
    }
  }()

  /// A pod of its own for each build, as a test has it, and a container of one service.
  static let root = Twin("making a container and its service") {
    consume(Pod().resolve(service))
  } against: {
    consume(HandMadeContainer().service)
  }

  /// An override of a provider that both threads share, in a pod that each has for itself.
  static let override = Twin("replacing a closure and calling it", operation: overriding) { count in
    let container = ManualOverride()
    return {
      for _ in 0..<count {
        container.override { Service() }
        consume(container.service())
        container.removeOverride()
      }
    }
  }

  /// The same override beside one allocation.
  static let overrideAgainstObject = Twin(Row.oneObject, operation: overriding) { count in
    {
      var recent = Recent<Service>()
      for _ in 0..<count { consume(Service(), into: &recent) }
    }
  }

  private static let overriding: Body = { count in
    let pod = Pod()
    return {
      for _ in 0..<count {
        pod.overrideProvider(service) { _ in Service() }
        consume(pod.resolve(service))
        pod.removeOverrideProvider(service)
      }
    }
  }

  /// A read through a child of a shared pod.
  ///
  /// Each thread reads an object on a cache line of its own.
  static let cached: Twin = {
    let parent = Pod("parent")
    return Twin(
      Row.globalObject,
      operation: [paddedServices.0, paddedServices.1].map { provider in
        { count in
          let child = parent.makeChild {
            $0.overrideProvider(user, withValue: Service())
            $0.overrideProvider(requestNumber, withValue: RequestNumber(value: 1))
            $0.overrideProvider(requestDeadline, withValue: RequestDeadline(nanoseconds: 1))
          }
          return { for _ in 0..<count { consume(child.resolve(provider)) } }
        }
      },
      baseline: [
        { count in { for _ in 0..<count { consume(handMadePaddedServices.0) } } },
        { count in { for _ in 0..<count { consume(handMadePaddedServices.1) } } },
      ])
  }()

  /// The number of providers in the chain.
  static let chainSize = 1_000

  /// First resolves of a chain, each in a pod of its own, and the floor of the same chain.
  static let chain: Twin = {
    let providers = Graphs.deep(chainSize)
    return Twin("floor: wire, claim, publish, clock, record") { count in
      let pods = (0..<count).map { _ in Pod() }
      return { for pod in pods { consume(pod.resolve(providers[chainSize - 1])) } }
    } baseline: { count in
      let chains = (0..<count).map { _ in ManualChain(chainSize) }
      return { for chain in chains { consume(chain.record(at: chainSize - 1).node) } }
    }
  }()
}
