#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  @Suite("What the compiler refuses", .timeLimit(.minutes(20)))
  struct CompileErrorTests {
    @Test("R30 wrong programs are refused where they are wrong", arguments: try Program.all(in: "MustNotCompile"))
    func wrong(program: Program) async throws {
      #expect(!program.modes.isEmpty && !program.marked.isEmpty && !program.expected.isEmpty)
      try await check(program)
    }

    @Test("R30 right programs compile without a warning", arguments: try Program.all(in: "MustCompile"))
    func right(program: Program) async throws {
      #expect(!program.modes.isEmpty && program.marked.isEmpty && program.expected.isEmpty)
      #expect(program.tolerated.isEmpty)
      try await check(program)
    }

    @Test("there are wrong and right programs to compile")
    func present() throws {
      #expect(try !Program.all(in: "MustNotCompile").isEmpty)
      #expect(try !Program.all(in: "MustCompile").isEmpty)
    }

    /// Compiles a program in each of its modes, and one of several files also file by file, as debug builds do.
    private func check(_ program: Program) async throws {
      let compiler = try Compiler.find()
      for mode in program.modes {
        for wholeModule in program.files.count > 1 ? [true, false] : [true] {
          let answer = try await compiler.compile(program.files, mode, wholeModule: wholeModule)
          let objections = program.objections(to: answer)
          let how = "\(mode.rawValue)\(wholeModule ? "" : ", file by file")"
          #expect(
            objections.isEmpty,
            "\(program.name) in mode \(how):\n\(objections.joined(separator: "\n"))\n\n\(answer.output)")
        }
      }
    }
  }

  @Suite("How the compiler's answers are judged")
  struct JudgementTests {
    private func program(_ text: String) throws -> Program {
      var program = Program(name: "x", files: ["/x.swift"])
      try program.read(text, of: "/x.swift")
      return program
    }

    private let wrong = """
      // Says why.
      // modes: 5 6
      // error: circular reference
      // note: through
      // also: bug report
      import Peapod
      let a = b  // here
      let b = a  // here
      """

    private func objections(_ text: String, status: Int32, _ output: String...) throws -> [String] {
      try program(text).objections(to: Compiler.Answer(status: status, output: output.joined(separator: "\n")))
    }

    @Test("the expected error, with its notes and what is tolerated, on the marked lines passes")
    func expected() throws {
      let found = try objections(
        wrong, status: 1,
        "/x.swift:7:5: error: circular reference", "let a = b", "    ^",
        "/x.swift:8:5: note: through reference here",
        "/x.swift:6:5: error: please submit a bug report", "/y.swift:1:1: note: declared here")
      #expect(found == [])
    }

    @Test("a program that compiles is not refused")
    func accepted() throws {
      #expect(
        try objections(wrong, status: 0) == [
          "not said: error: circular reference", "not said: note: through",
          "nothing is said of x.swift:7", "nothing is said of x.swift:8", "exit status 0",
        ])
    }

    @Test("another error, another place or another severity is an objection")
    func different() throws {
      let other = try objections(
        wrong, status: 1, "/x.swift:7:5: error: circular reference", "/x.swift:8:1: note: through it",
        "/x.swift:8:5: error: cannot find 'c' in scope")
      #expect(other == ["unexpected: x.swift:8: error: cannot find 'c' in scope"])
      let elsewhere = try objections(
        wrong, status: 1, "/x.swift:6:5: error: circular reference", "/x.swift:7:1: note: through it",
        "/x.swift:8:1: note: through it")
      #expect(elsewhere == ["unexpected: x.swift:6: error: circular reference", "not said: error: circular reference"])
      let warning = try objections(
        wrong, status: 0, "/x.swift:7:5: warning: circular reference", "/x.swift:8:1: note: through it")
      #expect(warning.contains("unexpected: x.swift:7: warning: circular reference"))
      #expect(warning.contains("exit status 0"))
    }

    @Test("a warning, or an error that names no place, objects to a right program")
    func notQuiet() throws {
      let right = "// modes: 5\nimport Peapod\n"
      #expect(try objections(right, status: 0) == [])
      #expect(
        try objections(right, status: 0, "/x.swift:2:1: warning: unused") == ["unexpected: x.swift:2: warning: unused"])
      #expect(
        try objections(right, status: 1, "error: no such module")
          == ["unexpected: no file:0: error: no such module", "exit status 1"])
    }
  }
#endif
