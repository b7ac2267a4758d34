import '../../suites/index.ts';
import '../judge/invariant-judge.ts';
import '../judge/run-direct.ts';
import '../session/open-session.ts';
