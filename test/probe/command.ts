import { Command } from 'commander';
import { addMonitor } from '../../src/cli/commands/monitor.ts';
import { addSmoke } from '../../src/cli/commands/smoke.ts';

/** The two commands of the probe as a process of their own, so that tests can start, signal and kill it. */
const program = new Command('petstore-conformance');
addSmoke(program);
addMonitor(program);
await program.parseAsync(process.argv);
