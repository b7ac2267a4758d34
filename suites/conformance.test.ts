import { inject } from 'vitest';
import { registerConformance } from '../src/gate/register.ts';

await registerConformance(inject('conformance'));
