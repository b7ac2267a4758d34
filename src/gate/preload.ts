// All modules that register.ts imports, but vitest.
import '../../suites/index.ts';
import '../judge/invariant-judge.ts';
import '../judge/run-direct.ts';
import '../session/open-session.ts';
