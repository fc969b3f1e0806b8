// The console's scripts. Every page works without them: they add keys, copying, a ticking clock and live updates.
import "./clock.js";
import "./copy.js";
import "./copy_as.js";
import "./drop.js";
import "./keys.js";
import "./live.js";
import "./panel.js";
import "./scenario.js";
import "./sort.js";
import "./strip.js";
import "./actions.js"; // after scenario.js, which sends a form of its own
import "./toasts.js";
