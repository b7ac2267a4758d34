import { spawnSync } from 'node:child_process';
import type { TestContext } from 'vitest';
import { findProgram, missingNote, needs, type Tool } from '../../test/support/tool.ts';

function program(name: string, remedy: string): Tool {
  return { name, remedy, isThere: () => findProgram(name) !== undefined };
}

/** A tool that is present if this command ends with 0. */
function able(name: string, remedy: string, command: string, ...args: readonly string[]): Tool {
  return { name, remedy, isThere: () => spawnSync(command, args).status === 0 };
}

const NPM = [program('npm', 'install Node with npm')];
const PYTHON = [able('python3 with venv', 'apt-get install python3-venv', 'python3', '-c', 'import ensurepip, venv')];
const PHP = [able('php with APCu', 'apt-get install php-cli php-apcu', 'php', '-r', 'exit(extension_loaded("apcu") ? 0 : 1);')];
const GO = [program('go', 'install Go 1.26')];
const CARGO = [program('cargo', 'install Rust')];
const JAVA = [program('javac', 'apt-get install openjdk-17-jdk-headless'), program('mvn', 'apt-get install maven')];

type Toolchain = {
  readonly tools: readonly Tool[];
  /** Installed and started within seconds: judged by default. */
  readonly quick?: true;
};

/** By the folder of each server in this folder. */
export const TOOLCHAINS: Readonly<Record<string, Toolchain>> = {
  django: { tools: PYTHON },
  express: { tools: NPM, quick: true },
  fastapi: { tools: PYTHON },
  fastify: { tools: NPM, quick: true },
  flask: { tools: PYTHON, quick: true },
  'go-gin': { tools: GO },
  'go-net-http': { tools: GO },
  hono: { tools: NPM, quick: true },
  'java-micronaut': { tools: JAVA },
  'java-spring-boot': { tools: JAVA },
  nestjs: { tools: NPM },
  php: { tools: PHP },
  'rust-actix': { tools: CARGO },
  'rust-axum': { tools: CARGO },
};

const ASKED: Tool = { name: 'the setting THIRD_PARTY=1', remedy: 'it installs and judges every server', isThere: () => false };
const everyServer = process.env['THIRD_PARTY'] === '1';

/** The servers to judge: all with THIRD_PARTY=1, otherwise the quick ones. */
export const chosenServers: readonly string[] = Object.keys(TOOLCHAINS).filter((name) => everyServer || TOOLCHAINS[name]?.quick);

/**
 * Skips the test unless the server was chosen, or if the toolchain is missing, with a note that says how to get it. With CI=true a missing
 * toolchain fails the test.
 */
export function needsToolchain(context: Pick<TestContext, 'skip'>, server: string): void {
  // Each is installed from its own registry, which a test run must not need by default.
  if (!everyServer) context.skip(missingNote([ASKED]));
  const tools = TOOLCHAINS[server]?.tools ?? [];
  needs(context, ...tools);
}
