// Experiments: wrong only where exposed to something, never in the control.

import type { Exchange } from './exchange.ts';
import type { Breach, Case } from './rule.ts';
import type { World } from './world.ts';

/** One observation: whether it was exposed, and whether it went wrong. */
export type Trial = {
  readonly exchange: Exchange;
  readonly isExposed: boolean;
  readonly isWrong: boolean;
  /** What was asked for: the same again proves no more. By default, each trial asks for something else. */
  readonly key?: string;
  /** Trials are compared within their group: the same operation, the same kind of exposure. */
  readonly group?: string;
};

type Experiment = {
  readonly trials: (world: World) => readonly Trial[];
  /** How many different exposed trials must be wrong at least, and which share of them. */
  readonly least: number;
  readonly share: number;
  /** The least number of control trials, none of which may be wrong. */
  readonly controls: number;
  readonly breach: (
    trial: Trial,
    told: { readonly wrong: number; readonly exposed: number; readonly controls: number },
    world: World,
  ) => Breach;
};

const keysOf = (trials: readonly Trial[]): number => new Set(trials.map(({ key, exchange }) => key ?? exchange)).size;

/** The cases of an experiment: the wrong trials where exposure is the reason, else those that were exposed and right. */
export function experiment({ trials, least, share, controls, breach }: Experiment): (world: World) => readonly Case[] {
  return (world) =>
    [...Map.groupBy(trials(world), ({ group = '' }) => group).values()].flatMap((all): readonly Case[] => {
      const [exposed, control] = [all.filter(({ isExposed }) => isExposed), all.filter(({ isExposed }) => !isExposed)];
      const wrong = exposed.filter(({ isWrong }) => isWrong);
      const [wrongKeys, exposedKeys] = [keysOf(wrong), keysOf(exposed)];
      const isReason = wrongKeys >= least && wrongKeys >= share * exposedKeys;
      const isShown = isReason && control.length >= controls && control.every(({ isWrong }) => !isWrong);
      const told = { wrong: wrong.length, exposed: exposed.length, controls: control.length };
      return exposed.flatMap((trial): readonly Case[] => {
        const { exchange, isWrong } = trial;
        if (!isWrong) return [{ exchange }];
        return isShown ? [{ exchange, breach: breach(trial, told, world) }] : [];
      });
    });
}
