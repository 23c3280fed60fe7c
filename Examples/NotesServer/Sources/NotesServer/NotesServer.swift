import ArgumentParser
import Foundation
import Logging
import NotesService
import NotesWiring
import Peapod

/// The command line: says where to listen and where to keep the notes.
@main
struct NotesServer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "notes-server",
    abstract: "Keeps notes, over HTTP.")

  @Option(help: "The address to listen at.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen at; 0 for any that is free.")
  var port = 8080

  @Option(help: "The file of the database; it is made if there is none.")
  var database = "notes.sqlite"

  @Option(help: "How many requests a second each address may make.")
  var requestsPerSecond = Settings().requestRate.perSecond

  @Option(help: "What to log: trace, debug, info, notice, warning, error or critical.")
  var logLevel = Logger.Level.info

  @Option(help: "How the parts of the server come together; by-hand is there to compare with.")
  var wiring = WiringStyle.peapod

  func validate() throws {
    guard 0...65_535 ~= port else { throw ValidationError("--port must be a number from 0 to 65535.") }
    guard requestsPerSecond > 0 else { throw ValidationError("--requests-per-second must be more than 0.") }
    guard !database.isEmpty else { throw ValidationError("--database must be the path of a file.") }
  }

  func run() async throws {
    let pod = Pod("notes-server")
    pod.overrideProvider(settingsProvider, withValue: settings)
    let logger = logger
    pod.overrideProvider(loggerProvider, withValue: logger)

    let parts: any Wiring =
      switch wiring {
      case .peapod: try await PodWiring(pod)
      case .byHand: try HandWiring(settings: settings, logger: logger)
      }
    let server = Server(wiring: parts, host: host, port: port) { [host, port] address in
      print(Invitation(base: "http://\(host):\(address?.port ?? port)"))
      // A program that reads the output through a pipe receives it at once.
      fflush(nil)
    }
    try await server.run()
  }

  private var settings: Settings {
    var settings = Settings(databasePath: database)
    settings.requestRate = Rate(perSecond: requestsPerSecond, burst: 2 * requestsPerSecond)
    return settings
  }

  private var logger: Logger {
    var logger = Logger(label: "notes") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = logLevel
    return logger
  }

  /// Runs the command, and says what is wrong in one line.
  static func main() async {
    do {
      try await parse().run()
    } catch let error where exitCode(for: error).isSuccess {
      exit(withError: error)
    } catch {
      FileHandle.standardError.write(Data("notes-server: \(message(for: error))\n".utf8))
      Foundation.exit(exitCode(for: error).rawValue)
    }
  }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
