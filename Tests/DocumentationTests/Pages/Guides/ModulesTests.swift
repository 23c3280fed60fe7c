// snippet: Module feature
// Module Feed
import Peapod
// end
import Testing

// snippet: Module feature
/// A source of feed entries.
public protocol FeedService: Sendable {
  /// Returns the newest entries.
  func entries() -> [String]
}

/// The model of the feed's screen.
@MainActor public final class FeedScreenModel {
  /// The entries on the screen.
  public let entries: [String]
  init(service: any FeedService) { entries = service.entries() }
}

/// The providers of the feed.
public struct FeedFeature: Sendable {
  /// The provider of the screen's model.
  public let screenModel: MainActorProvider<FeedScreenModel>

  /// Creates the feature with a provider of its service.
  public init(service: Provider<any FeedService>) {
    screenModel = MainActorProvider("feed screen") { pod in
      FeedScreenModel(service: pod.resolve(service))
    }
  }
}
// end

// snippet: Module service
// Module Network

/// A connection to the server.
public struct Transport: Sendable {
  let host: String

  /// Returns the server's answer.
  public func get(_ path: String) -> String { "\(host)/\(path)" }
}

let hostProvider = Provider { _ in "feed.example" }

/// The provider of the connection.
public let transportProvider = Provider { pod in Transport(host: pod.resolve(hostProvider)) }
// end

// snippet: Module app
// Module App
struct NetworkFeed: FeedService {
  let transport: Transport
  func entries() -> [String] { [transport.get("entries")] }
}

let feedServiceProvider = Provider<any FeedService> { pod in
  NetworkFeed(transport: pod.resolve(transportProvider))
}
let feedFeature = FeedFeature(service: feedServiceProvider)
// end

@Suite("Modules", .transcript)
struct ModulesTests {
  @Test("An app composes the features")
  @MainActor func compose() throws {
    // snippet: Module use
    let pod = Pod()
    print(pod.resolve(feedFeature.screenModel).entries)
    // end
    try expectOutput(of: "Module use")
  }

  // snippet: Module test
  // Tests of module Feed
  struct SampleFeed: FeedService {
    func entries() -> [String] { ["first", "second"] }
  }

  @Test @MainActor func showsEntries() {
    let feature = FeedFeature(service: Provider { _ in SampleFeed() })
    #expect(Pod().resolve(feature.screenModel).entries.count == 2)
  }
  // end
}
