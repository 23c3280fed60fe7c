import Logging
import Metrics
import NotesService
import Peapod
import PeapodSystem

/// The settings of the server, which the command line overrides.
public let settingsProvider = Provider { _ in Settings() }

/// Tells the time, from the date of the system, which tests override.
public let clockProvider = Provider { pod in
  let date = pod.resolve(.date)
  return WallClock { date.now }
}

/// Makes identifiers, tokens and salts.
public let randomProvider = Provider { _ in NotesService.RandomSource.system }

/// The server's own log; requests have a logger of their own, ``requestLoggerProvider``.
public let loggerProvider = Provider { _ in Logger(label: "notes") { StreamLogHandler.standardError(label: $0) } }

/// The totals that `GET /debug/metrics` shows.
public let totalsProvider = Provider { _ in Totals() }

/// The factory of the counters and timers.
public let metricsProvider = Provider<any MetricsFactory>("metrics") { pod in pod.resolve(totalsProvider) }

/// The database, which is opened at the first resolve, and closed when the pod is shut down.
public let databaseProvider = AsyncProvider { pod in
  try NotesDatabase(path: pod.resolve(settingsProvider).databasePath, logger: pod.resolve(loggerProvider))
} onDispose: { database in
  await database.close()
}
