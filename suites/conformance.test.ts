import { run } from '../src/gate/judging-thread.ts';
import { registerConformance } from '../src/gate/register.ts';

registerConformance(run);
