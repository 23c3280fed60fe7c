// snippet: Readme first sample
import Peapod
// end
import Testing

// snippet: Readme first sample
private struct Advisor: Sendable { let weather: String }

private let weatherProvider = Provider { _ in "rain" }
private let advisorProvider = Provider { pod in Advisor(weather: pod.resolve(weatherProvider)) }
// end

@Suite("README", .transcript)
struct ReadmeTests {
  @Test("The first sample prints the output that the page shows")
  func firstSample() throws {
    // snippet: Readme first sample
    let pod = Pod()
    print(pod.resolve(advisorProvider).weather)
    pod.overrideProvider(weatherProvider) { _ in "sun" }
    print(pod.resolve(advisorProvider).weather)  // a new advisor, built from the override
    pod.removeOverrideProvider(weatherProvider)
    print(pod.resolve(advisorProvider).weather)  // the first advisor again
    // end
    try expectOutput(of: "Readme first sample")
  }

  @Test("The first sample is a whole main.swift", arguments: ["5", "6"])
  func program(version: String) throws {
    let program = try #require(try MarkdownPage(path: "README.md").blocks.first { $0.language == "swift" })
    #expect(program.text.hasPrefix("import Peapod\n"))
    #expect(try Compiler.output(of: program.text, hasStatements: true, ["-swift-version", version]) == "")
  }

  @Test("The README names exactly two commands, and is no longer than 170 lines")
  func commands() throws {
    let readme = try MarkdownPage(path: "README.md")
    let commands = readme.blocks.filter { $0.language == "bash" }.flatMap { $0.text.split(separator: "\n") }
    #expect(commands == ["swift run --package-path Examples/RepoReport repo-report .", "swift test"])
    #expect(readme.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 171)
  }
}
