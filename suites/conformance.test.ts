import { job, line } from '../src/gate/judging-thread.ts';
import { registerConformance } from '../src/gate/register.ts';

await registerConformance(job, line);
