import Foundation
import Peapod
import Testing

// snippet: Trouble cycle
private final class Editor: Sendable {
  let toolbar: Toolbar
  init(toolbar: Toolbar) { self.toolbar = toolbar }
}
private final class Toolbar: Sendable {
  let editor: Editor
  init(editor: Editor) { self.editor = editor }
}

private let editorProvider: ThrowingProvider<Editor> = ThrowingProvider("editor") { pod in
  Editor(toolbar: try pod.resolve(toolbarProvider))
}
private let toolbarProvider: ThrowingProvider<Toolbar> = ThrowingProvider("toolbar") { pod in
  Toolbar(editor: try pod.resolve(editorProvider))
}
// end

// snippet: Trouble captive
private struct SessionScope: ProviderScope {}

private struct Session: Sendable {}
private struct Mailbox: Sendable { let session: Session }

private let sessionProvider = Provider("session", scope: SessionScope()) { _ in Session() }
private let mailboxProvider = Provider("mailbox") { pod in Mailbox(session: pod.resolve(sessionProvider)) }
// end

// snippet: Trouble captive fix
private struct OpenMailbox: Sendable { let session: @Sendable () -> Session }

private let openMailboxProvider = Provider { pod in OpenMailbox(session: pod.factory(sessionProvider)) }
// end

// snippet: Trouble owner
private struct RequestScope: ProviderScope {
  var requiresOwner: Bool { true }
}

private let requestIDProvider = Provider("request id", scope: RequestScope()) { _ in "none" }
// end

// snippet: Trouble repeated
private struct Theme: Sendable {
  static var provider: Provider<Theme> { Provider("theme") { _ in Theme() } }
}
// end

// snippet: Trouble repeated fix
extension Theme {
  fileprivate static let sharedProvider = Provider("theme") { _ in Theme() }
}
// end

@Suite("Troubleshooting", .transcript)
struct TroubleshootingTests {
  @Test("A cycle is reported with its path and the fix")
  func cycle() throws {
    // snippet: Trouble cycle use
    do {
      _ = try Pod().resolve(editorProvider)
    } catch {
      print(error)
    }
    // end
    try expectOutput(of: "Trouble cycle use")
  }

  #if DEBUG
    @Test("A captive dependency is printed with the fix")
    func captive() async throws {
      let result = try #require(
        await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
          _ = Pod().resolve(mailboxProvider)
        })
      try expectMessage(of: "captive", in: result)
      _ = Pod().resolve(openMailboxProvider).session()
    }

    @Test("A place that declares provider after provider is printed with the fix")
    func repeated() async throws {
      let result = try #require(
        await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
          let pod = Pod()
          for _ in 1...100 { _ = pod.resolve(Theme.provider) }
          for _ in 1...100 { _ = pod.resolve(Theme.sharedProvider) }
        })
      try expectMessage(of: "repeated", in: result)
    }
  #endif

  @Test("A scope without the owner that it requires stops the program with the fix")
  func owner() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Pod("App").resolve(requestIDProvider)
      })
    try expectMessage(of: "owner", in: result)
  }

  @Test("Every text with which the library stops, warns or refuses is found on the page")
  func texts() throws {
    let page = try MarkdownPage.article("Troubleshooting").text
    let sources = SourceTree.root.appending(path: "Sources/Peapod")
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".swift") }
    var texts: [String] = []
    for file in files {
      let source = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      texts += source.matches(of: /message: "([^"]+)"/).map { String($0.1) }
      texts += source.matches(of: /"(Peapod: [^"]+)"/).map { String($0.1) }
      texts += source.matches(of: /"""\n([^"]*Peapod: (?:[^"]|"[^"]|""[^"])*)\n *"""/).map { String($0.1) }
    }
    #expect(Set(texts).count >= 9)
    // What is between two interpolations is on the page; the longest piece tells one text from another.
    for text in texts {
      let unwrapped = text.replacing(/\\\n */, with: "")
      let pieces = unwrapped.replacing(/\\\([^()]*(?:\(\))?\)/, with: "\n").split(separator: "\n")
      let longest = pieces.map { $0.drop { $0 == " " } }.max { $0.count < $1.count } ?? ""
      let isShown = page.contains(longest)
      #expect(isShown, "the page does not show «\(longest)»")
    }
  }

  @Test("The page quotes the messages of PeapodTesting as they are")
  func issues() throws {
    let page = try MarkdownPage.article("Troubleshooting").text
    let rest = try #require(page.split(separator: "### Messages of PeapodTesting").last)
    let section = try #require(rest.split(separator: "\n## ").first)
    let file = SourceTree.root.appending(path: "Sources/PeapodTesting/IssueText.swift")
    // An ellipsis on the page stands for an interpolation.
    let source = try String(contentsOf: file, encoding: .utf8).replacing(/\\\n */, with: "")
      .replacing(/\\\([^()]*\)/, with: "…")
    let quotes = section.matches(of: /"([^"]+)"/).map { String($0.1) }
    #expect(quotes.count >= 9)
    for quote in quotes { #expect(source.contains(quote), "no message of PeapodTesting has «\(quote)»") }
  }

  @Test("Of every program that must not compile, the page shows something that the compiler says")
  func refused() throws {
    // Names differ from program to program.
    func nameless(_ text: some StringProtocol) -> String { String(text).replacing(/'[^'\n]*'/, with: "'…'") }

    let page = nameless(try MarkdownPage.article("Troubleshooting").text)
    let folder = SourceTree.root.appending(path: "Tests/CompileErrorTests/MustNotCompile")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
    let programs = Dictionary(grouping: files) { $0.prefix { $0 != "/" } }
    #expect(programs.count > 30)
    for (program, files) in programs {
      let source = try files.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }.joined()
      let texts = source.matches(of: /\/\/ (?:error|warning): (.*)/).map { nameless($0.1) }
      let isShown = texts.contains { page.contains($0) }
      #expect(isShown, "the page shows nothing of what is said of \(program): \(texts)")
    }
  }

  @Test("The compiler's words on the page are those that the compile tests expect")
  func refusals() throws {
    let programs = SourceTree.root.appending(path: "Tests/CompileErrorTests/MustNotCompile")
    let blocks = try MarkdownPage.all().flatMap(\.blocks).filter { $0.refusedProgram != nil }
    #expect(!blocks.isEmpty)
    for block in blocks {
      let program = programs.appending(path: "\(block.refusedProgram ?? "").swift")
      let source = try String(contentsOf: program, encoding: .utf8)
      for line in block.text.split(separator: "\n") {
        #expect(source.contains("// \(line)"), "\(block): \(program.lastPathComponent) does not expect «\(line)»")
      }
    }
  }
}

/// Compares a message on standard error with the `text` block that the page shows under this name.
private func expectMessage(
  of name: String, in result: ExitTest.Result, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let printed = String(decoding: result.standardErrorContent, as: UTF8.self)
  try expectMessage(of: name, in: printed, sourceLocation: sourceLocation)
}
