// The branches of one expression have one type, which is not found by itself.
// modes: 5 6
// error: no exact matches in call to instance method 'resolve'
import Peapod

protocol Theme: Sendable {}
struct Light: Theme {}
struct Dark: Theme {}
let light = Provider { _ in Light() }
let dark = Provider { _ in Dark() }

let theme = Provider<any Theme> { pod in Bool.random() ? pod.resolve(light) : pod.resolve(dark) }  // here
