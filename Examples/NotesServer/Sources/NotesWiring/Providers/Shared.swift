import NotesService
import Peapod

let requestMetricsProvider = Provider { pod in RequestMetrics(factory: pod.resolve(metricsProvider)) }

let passwordHasherProvider = Provider { pod in
  PasswordHasher(cost: pod.resolve(settingsProvider).passwordCost, random: pod.resolve(randomProvider))
}

let requestLimiterProvider = Provider("requestLimiter") { pod in
  RateLimiter(rate: pod.resolve(settingsProvider).requestRate, clock: pod.resolve(clockProvider))
}

let signInLimiterProvider = Provider("signInLimiter") { pod in
  RateLimiter(rate: pod.resolve(settingsProvider).signInRate, clock: pod.resolve(clockProvider))
}

// The repositories wait for the database. The server prepares them before it listens, so requests need not wait.

let accountRepositoryProvider = AsyncProvider { pod in
  AccountRepository(database: try await pod.resolve(databaseProvider))
}

let noteRepositoryProvider = AsyncProvider { pod in
  NoteRepository(
    database: try await pod.resolve(databaseProvider), clock: pod.resolve(clockProvider),
    random: pod.resolve(randomProvider))
}

let authenticatorProvider = Provider { pod in
  Authenticator(accounts: pod.prepared(accountRepositoryProvider), clock: pod.resolve(clockProvider))
}

let sharedServicesProvider = Provider { pod in
  SharedServices(
    random: pod.resolve(randomProvider),
    logger: pod.resolve(loggerProvider),
    metrics: pod.resolve(requestMetricsProvider),
    authenticator: pod.resolve(authenticatorProvider),
    requestLimiter: pod.resolve(requestLimiterProvider),
    signInLimiter: pod.resolve(signInLimiterProvider))
}

extension Pod {
  /// Returns an instance that ``PodWiring`` has prepared.
  func prepared<Value>(_ provider: AsyncProvider<Value>) -> Value {
    guard let instance = cachedInstance(of: provider) else {
      fatalError("\(provider) was resolved before the server prepared it, or after the server was shut down")
    }
    return instance
  }
}
