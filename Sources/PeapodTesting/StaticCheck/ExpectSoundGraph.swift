import GraphCheck
import Peapod
import Testing

/// Expects that the providers of the package have no captive dependencies and no dependency cycles.
///
/// The check reads the index store that the compiler wrote in this build, so it needs neither registration nor another
/// build. It finds the dependencies that the source shows. Each finding is an issue at the place of the provider. An
/// issue is an error if every step to the dependency is certain, and a warning otherwise.
///
/// ```swift
/// @Test func theGraphIsSound() {
///   expectSoundGraph()
/// }
/// ```
///
/// If this check and a pod disagree, rely on the captive dependencies that the pod reports with the `strict` trait.
/// They include cases that the source does not show, such as a provider that is passed to a function.
///
/// A missing index store is an issue as well. `swift test` writes an index store in debug mode, and in release mode
/// with `--enable-index-store`. The function works on macOS and Linux, on a machine with the toolchain.
///
/// - Parameters:
///   - subjects: The accepted findings, each with the names of all its providers: `"appThing keeps screenThing"`,
///     `"hen → egg → hen"`, or `"neverNamed"` for an unused provider. The name of the module and a dot may come first. An accepted
///     finding that is not found is a warning at its first provider. For an unused provider, this warning needs `includingUnused`.
///   - includesUnused: Whether providers that no code resolves are findings, as warnings.
///   - allowsUnusedPublic: Whether other packages may resolve public providers, so that an unused one is no finding.
///   - root: The directory of the checked providers, or `nil` for the package of the test.
///   - sourceLocation: The place of the test, and of the issue if the graph cannot be checked.
public func expectSoundGraph(
  accepting subjects: [String] = [], includingUnused includesUnused: Bool = false,
  allowingUnusedPublic allowsUnusedPublic: Bool = false, root: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  var checker = GraphChecker()
  checker.accepted = subjects
  checker.includesUnused = includesUnused
  checker.allowsUnusedPublic = allowsUnusedPublic
  do throws(CheckError) {
    let graph = try GraphReader.ofThisBuild(root: root, filePath: sourceLocation.path).graph()
    for finding in try checker.findings(of: graph) { finding.record() }
  } catch {
    Issue.record("\(error.description)", sourceLocation: sourceLocation)
  }
}

extension GraphReader {
  /// The reader of the store that the running tests were built with.
  static func ofThisBuild(root: String?, filePath: String) throws(CheckError) -> GraphReader {
    guard let root = root ?? StoreLocator.package(above: filePath) else {
      throw CheckError("There is no Package.swift above \(filePath). Name the directory to check with `root:`.")
    }
    var reader = GraphReader(roots: [root])
    reader.stores = StoreLocator.besideProgram.map { [$0] } ?? []
    return reader
  }
}

extension Finding {
  /// Records the finding as an issue at the place of its provider.
  fileprivate func record() {
    let notes = notes.map { "\n\($0.file):\($0.position): note: \($0.text)" }.joined()
    let file = location.file.split(separator: "/").last.map(String.init) ?? location.file
    let text = "\(text) [\(kind.rawValue)]\(notes)"
    let place = SourceLocation(
      fileID: "\(location.module)/\(file)", filePath: location.file, line: location.position.line,
      column: location.position.column)
    if severity == .error {
      Issue.record(Comment(rawValue: text), sourceLocation: place)
    } else {
      Issue.warn(text, at: place)
    }
  }
}
