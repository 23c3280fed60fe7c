import PeapodTesting
import Testing

@Suite struct PlantedTests {
  @Test func theGraphIsSound() {
    expectSoundGraph()
  }
}
