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

// What follows uses the database, which is open before anything here is built. So nothing has to wait for it again.

let accountRepositoryProvider = Provider { pod in AccountRepository(database: pod.openDatabase) }

let noteRepositoryProvider = Provider { pod in
  NoteRepository(database: pod.openDatabase, clock: pod.resolve(clockProvider), random: pod.resolve(randomProvider))
}

let authenticatorProvider = Provider { pod in
  Authenticator(accounts: pod.resolve(accountRepositoryProvider), clock: pod.resolve(clockProvider))
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
  /// The database, which ``PodWiring`` has opened.
  fileprivate var openDatabase: NotesDatabase {
    guard let database = cachedInstance(of: databaseProvider) else {
      fatalError("a part of the service was asked for before the database was open, or after it was closed")
    }
    return database
  }
}
