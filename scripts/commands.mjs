// The commands of `assay`: the whole instance, its individual processes, and setup without a
// browser.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundle } from './build.mjs';
import {
  findInstance,
  hasInstallation,
  makeDataDir,
  readSecret,
  root,
  takeInstance,
} from './data-dir.mjs';
import { readEdgeFlags } from './edge-flags.mjs';
import { endWithNpm } from './end-with-npm.mjs';
import { Failure, reportFailure } from './failure.mjs';
import {
  launcherFor,
  logFile,
  migrate,
  prepareCode,
  processArguments,
  main as startInstance,
} from './instance.mjs';
import { createProgress } from './progress.mjs';
import { prepareService } from './service-user.mjs';
import { childEnv, readSettings } from './settings.mjs';
import { launcherFd } from './supervise.mjs';

/** @typedef {import('./settings.mjs').Settings} Settings */

const help = `assay start                                    everything on this machine (as npm start)
assay demo                                     fills a project with four simulated weeks, next to a running assay start
assay web | edge | worker                      one process, with the database of DATABASE_URL or of the running instance
assay migrate                                  brings the database up to date
assay doctor                                   checks database, clocks, queue, workers, sandbox, disk and outbound calls; prints what to fix
assay init --email E --project SLUG            owner (password from standard input), project and API key in one command
assay owner-link                               a one-time link that creates the owner's account
assay owner create --email E                   the owner's account (password from standard input)
assay owner password-link --email E            a one-time link that sets another password for an account
assay owner turn-off-two-step --email E        for an account whose app and backup codes are lost; ends its sessions
assay projects create SLUG
assay keys create --project SLUG               prints the key, once
  --scopes ingest,verify,read,write,gateway      what the key may do (all five)
  impersonate, promote, held_out                 further scopes: label as another rater, force a promotion, read held-out items
  --name NAME                                    the key's name in lists and in the audit log (command line)
  --expires-in-days N                            the key is refused after N days; without it, it does not expire
assay keys rotate ID --project SLUG            a successor with the same name, scopes and lifetime; prints it, once
  --grace-hours N                                hours that the old key keeps working: 0 to 720 (24)
assay secrets rewrap                           after ASSAY_SECRET was changed, with the previous one in ASSAY_SECRET_PREVIOUS

assay backup --out FILE.gz|FOLDER|s3://BUCKET/ a consistent snapshot of the whole database in one file, while it is in use
assay restore FILE|s3://BUCKET/KEY             restores a backup into an empty database, then repeats later deletions
  --deletions FILE                               the list of deletions (deletions.jsonl of the data folder)
  --without-secrets                              even if the ASSAY_SECRET differs: keys must be entered again
assay export --project SLUG --out FILE         a whole project as JSON lines, gzip; without secrets
assay export check FILE                        checks whether an export is complete

assay send FILE|-                              sends turns
assay import FILE… --mapping MAP|--preset NAME imports rows of CSV or JSONL files
assay tail                                     follows verdicts
assay gate --min-pass-rate R                   decides by a pass rate: 0 passed, 1 failed, 2 cannot tell, 4 error
assay eval run FILE                            runs an experiment that a file describes, and decides by its gate
  --embedded --verifiers FILE                    on an instance that exists only for it, with these definitions
assay verifiers list | apply FILE… | diff FILE… | export SLUG…|--all     definitions of verifiers as YAML files
assay mcp                                      the Model Context Protocol for agents, over standard input and output
  These seven call the HTTP API (--url, --key, or ASSAY_URL, ASSAY_API_KEY); --help after each lists its options.

assay edge accepts settings of the Quality Verifier for routes without their own settings. A flag overrides the variable of the same
name (QUALITY_VERIFIER_MODEL …), which overrides session: in the file (quality_verifier_model …), which overrides the default:
  --quality-verifier-model SPEC                  provider:model?temperature=0.3; without one nothing is verified
  --quality-verifier-frequency N                 every N turns (10)
  --quality-verifier-max-history N               the last N messages (all)
  --quality-verifier-max-consecutive-failures N  opens the circuit (5), for
  --quality-verifier-cooldown-seconds S          (300)
  --quality-verifier-ttft-timeout-seconds S      time until the first token of the verifier (30)
  --quality-verifier-tool-followup-weight W      weight of a tool follow-up, 0 to 1 (0.2)
  --config FILE                                  the file, YAML (ASSAY_CONFIG)

  --json    machine-readable output (on all that print a result)
  --help    this text

Environment: ASSAY_URL, ASSAY_API_KEY, DATABASE_URL, ASSAY_DATA_DIR, ASSAY_HOST, ASSAY_WEB_PORT, ASSAY_EDGE_PORT, ASSAY_WEB_URL, ASSAY_SECRET,
  ASSAY_SECRET_PREVIOUS, ASSAY_CONFIG, ASSAY_REPLICA, OPENAI_API_KEY, OPENAI_BASE_URL, ANTHROPIC_…, GOOGLE_…
`;

const processes = /** @type {const} */ (['web', 'edge', 'worker']);
const adminCommands = [
  'init',
  'owner',
  'projects',
  'keys',
  'secrets',
  'owner-link',
  'backup',
  'restore',
  'export',
  'doctor',
];
/** They read or change an existing installation. On an empty folder they would create a new one. */
const needsInstallation = new Set(['backup', 'doctor', 'export', 'keys', 'owner-link', 'secrets']);
/**
 * Commands of sdk/cli: they call the HTTP API of any server, and need nothing else of an instance.
 */
const apiCommands = ['send', 'import', 'tail', 'gate', 'eval', 'verifiers', 'mcp'];

/** Progress goes to stderr here: stdout is the command's result. */
const progress = createProgress((text) => void process.stderr.write(text));

/**
 * @param {string[]} args
 * @returns {Promise<number | undefined>} the exit code; undefined while the instance runs
 */
async function dispatch(args) {
  const [command = '--help', ...rest] = args;
  if (command === 'start') {
    await startInstance();
    return undefined;
  }
  if (command === 'demo') return runNode([join(root, 'scripts', 'demo.mjs'), ...rest], process.env);
  if (command === 'eval' && rest.includes('--embedded')) return runEmbedded(args);
  if (apiCommands.includes(command)) return runApiCommand(args);
  const isProcess = processes.find((name) => name === command);
  const isKnown = isProcess || command === 'migrate' || adminCommands.includes(command);
  if (['--help', '-h', 'help'].includes(command) || (isKnown && rest.includes('--help'))) {
    process.stdout.write(help);
    return 0;
  }
  if (!isKnown)
    throw new Failure(`There is no command "${command}"; assay --help lists the commands.`);
  const variables = isProcess === 'edge' ? readEdgeFlags(rest) : {};
  const settings = readSettings();
  if (
    needsInstallation.has(command) &&
    !process.env.DATABASE_URL &&
    !hasInstallation(settings.dataDir)
  )
    throw new Failure(
      `There is no installation in ${settings.dataDir}: start Assay, or set ASSAY_DATA_DIR to the folder that its start names as Data.`,
    );
  makeDataDir(settings.dataDir);
  if (
    !existsSync(join(root, 'dist', 'admin.js')) ||
    (isProcess === 'web' && !existsSync(join(root, '.next', 'BUILD_ID')))
  ) {
    await prepareCode(settings, progress);
  }
  const service = () => prepareService(settings.dataDir, progress.line);
  if (isProcess) return runProcess(settings, isProcess, { variables, service: service() });
  return withDatabase(settings, async (databaseUrl, isOwn) => {
    // Links name the console that runs.
    const running = findInstance(settings.dataDir)?.webUrl;
    const webUrl = process.env.ASSAY_WEB_URL || running || settings.webUrl;
    const env = childEnv(
      { ...settings, webUrl },
      { secret: readSecret(settings.dataDir), databaseUrl },
    );
    if (command !== 'migrate') {
      // A database that only this command opens may not be migrated yet.
      if (isOwn) await migrate(settings, env, service());
      return runNode(['dist/admin.js', ...args], {
        ...env,
        ASSAY_CALLER_DIR: process.env.INIT_CWD || process.cwd(),
        // Our release fixes the version of AWS's library; its later ones need a newer Node.
        AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      });
    }
    await migrate(settings, env, service());
    process.stdout.write(
      rest.includes('--json') ? '{"migrated":true}\n' : 'The database is up to date.\n',
    );
    return 0;
  });
}

/**
 * `assay eval run FILE --embedded --verifiers FILE`: applies the definitions, and runs the
 * evaluation, on an instance that exists only for it.
 * @param {string[]} args
 * @returns {Promise<number>}
 */
async function runEmbedded(args) {
  const ownArgs = args.filter((arg) => arg !== '--embedded');
  const at = ownArgs.findIndex((arg) => /^--verifiers(=|$)/.test(arg));
  const [flag = ''] = at === -1 ? [] : ownArgs.splice(at, ownArgs[at] === '--verifiers' ? 2 : 1);
  const definitions = flag === '--verifiers' ? args[args.indexOf(flag) + 1] : flag.slice(12);
  if (ownArgs.some((arg) => /^--(url|key)(=|$)/.test(arg)) || (at !== -1 && !definitions))
    throw new Failure(
      'Write assay eval run FILE --embedded [--verifiers FILE]; an embedded instance has its own address and key.',
    );
  const { withEmbedded } = await import('./embedded.mjs');
  return withEmbedded(progress, async (connection, dist) => {
    const env = { ...process.env, ...connection };
    const applied = definitions
      ? await runApiCommand(['verifiers', 'apply', definitions], env, { dist, isQuiet: true })
      : 0;
    return applied === 0 ? runApiCommand(ownArgs, env, { dist }) : 4;
  });
}

/**
 * Paths in the arguments are relative to the caller's folder.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @param {{ dist?: string, isQuiet?: boolean }} [how] dist: folder of the bundles; isQuiet: without
 * its standard output
 * @returns {Promise<number>}
 */
async function runApiCommand(args, env = process.env, { dist = 'dist', isQuiet = false } = {}) {
  if (!existsSync(join(root, dist, 'cli.js'))) await bundle();
  return runNode([join(root, dist, 'cli.js'), ...args], env, {
    root: process.cwd(),
    isQuiet,
  });
}

/**
 * @param {Settings} settings
 * @param {'web' | 'edge' | 'worker'} name
 * @param {{ variables: Record<string, string>, service: import('./service-user.mjs').Service }} how
 * the variables override the environment
 * @returns {Promise<number>}
 */
async function runProcess(settings, name, { variables, service }) {
  const databaseUrl = process.env.DATABASE_URL || findInstance(settings.dataDir)?.databaseUrl;
  if (!databaseUrl)
    throw new Failure(
      'There is no database: set DATABASE_URL, or start Assay first (npm start, assay start).',
    );
  const env = {
    ...childEnv(settings, { secret: readSecret(settings.dataDir), databaseUrl }),
    ...service.env,
    ...variables,
  };
  const launcher =
    name === 'worker' ? launcherFor(service, logFile(settings, 'worker')) : undefined;
  return runNode(processArguments(settings, service)[name], env, { ...service, launcher });
}

/**
 * Uses the database of DATABASE_URL, else that of the running instance, else the embedded one for
 * the duration of `work`.
 * @param {Settings} settings
 * @param {(databaseUrl: string, isOwn: boolean) => Promise<number>} work
 * @returns {Promise<number>}
 */
async function withDatabase({ dataDir }, work) {
  if (process.env.DATABASE_URL) return work(process.env.DATABASE_URL, false);
  for (const end = Date.now() + 60_000; ; await sleep(100)) {
    const lock = takeInstance(dataDir, { kind: 'command' });
    if (!('pid' in lock)) {
      try {
        return await withEmbeddedCluster(dataDir, work, lock);
      } finally {
        lock.release();
      }
    }
    if (lock.kind === 'start' && lock.databaseUrl) return work(lock.databaseUrl, false);
    if (Date.now() > end)
      throw new Failure(
        `The data in ${dataDir} is in use by process ${lock.pid}: wait until it is ready, or stop it.`,
      );
  }
}

/**
 * @param {string} dataDir
 * @param {(databaseUrl: string, isOwn: boolean) => Promise<number>} work
 * @param {import('./data-dir.mjs').Lock} lock
 * @returns {Promise<number>}
 */
async function withEmbeddedCluster(dataDir, work, lock) {
  const { ensureCluster } = await import('./postgres.mjs');
  const { ensureServiceRole } = await import('./service-role.mjs');
  const cluster = await ensureCluster({ dataDir, log: progress.line });
  try {
    const databaseUrl = await ensureServiceRole({ url: cluster.url, dataDir });
    lock.update({ databaseUrl });
    return await work(databaseUrl, true);
  } finally {
    await cluster.stop();
  }
}

/**
 * Runs Node with this process's input and output. The child has its own process group and receives
 * each signal once, from this process, even if the terminal and npm repeat it.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {Partial<import('./service-user.mjs').Service> & { launcher?: (() =>
 * import('node:net').Socket) | undefined, isQuiet?: boolean }} [how] like this process by default
 * @returns {Promise<number>}
 */
function runNode(
  args,
  env,
  { root: cwd = root, node = process.execPath, user, launcher, isQuiet = false } = {},
) {
  return new Promise((resolve) => {
    const socket = launcher?.();
    const child = spawn(node, args, {
      cwd,
      env: socket ? { ...env, ASSAY_BOX_LAUNCHER_FD: String(launcherFd) } : env,
      ...(user ? { uid: user.uid, gid: user.gid } : {}),
      detached: true,
      stdio: [
        'inherit',
        isQuiet ? 'ignore' : 'inherit',
        'inherit',
        'ipc',
        ...(socket ? [socket] : []),
      ],
    });
    // The child has its own copy: when it ends, so does the launcher.
    socket?.destroy();
    let isStopRequested = false;
    const requestStop = () => {
      isStopRequested = true;
      child.kill('SIGTERM');
    };
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
      process.once(signal, requestStop);
    endWithNpm();
    child.once('error', () => resolve(127));
    // 130 is the commands' own code for an interrupt: the child may be stopped before it handles
    // signals. Next exits with 143 after a clean stop, which a supervisor would treat as a failure.
    child.once('exit', (code, signal) =>
      resolve(
        isStopRequested && code === 143
          ? 0
          : (code ?? (signal === 'SIGTERM' || signal === 'SIGINT' ? 130 : 1)),
      ),
    );
  });
}

/** Runs the command of the command line. */
export async function main() {
  try {
    const code = await dispatch(process.argv.slice(2));
    if (code !== undefined) process.exitCode = code;
  } catch (error) {
    process.exitCode = reportFailure(error);
  }
}
