import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import {
  type Actor,
  createKey,
  createOwner,
  createProject,
  createSimulatedProject,
  assignToOperator,
  issueOwnerLink,
  issuePasswordLinkByEmail,
  openProjectAsSystem,
  type ProjectCtx,
  rewrapSecrets,
  rotateKey,
  turnOffSecondFactor,
} from './access';
import {
  CreateKey,
  CreateProject,
  defaultScopes,
  Email,
  Name,
  Password,
  KeyScope,
  RotateKey,
  Slug,
} from './access/input';
import { diagnose } from './doctor';
import {
  checkExport,
  deletionsFile,
  reapplyDeletions,
  restoreBackup,
  writeBackup,
  writeExport,
} from './lifecycle';
import {
  AssayError,
  asSentence,
  environment,
  faultText,
  fieldSentence,
  flagFault,
  invalid,
  issueDetails,
} from './platform';
import { checkSchema, createRuntime } from './runtime';

/**
 * Setup without a browser (api.md): `assay owner create`, `owner password-link`,
 * `owner turn-off-two-step`, `projects create`, `keys create`, `keys rotate`, `init`, `owner-link`,
 * `secrets rewrap`; `backup`, `restore`, `export`; `doctor`.
 */

const system: Actor = { kind: 'system', id: 'command line', label: 'command line' };
type Ctx = ReturnType<typeof createRuntime>['ctx'];
type Result = Record<string, unknown> & { readonly text: string };

const options = {
  json: { type: 'boolean', default: false },
  email: { type: 'string' },
  name: { type: 'string' },
  project: { type: 'string' },
  scopes: { type: 'string' },
  'expires-in-days': { type: 'string' },
  'grace-hours': { type: 'string' },
  simulated: { type: 'boolean', default: false },
  out: { type: 'string' },
  deletions: { type: 'string' },
  'without-secrets': { type: 'boolean', default: false },
} as const;
const commandVerbs: Readonly<Record<string, readonly string[]>> = {
  owner: ['create', 'password-link', 'turn-off-two-step'],
  projects: ['create'],
  keys: ['create', 'rotate'],
  secrets: ['rewrap'],
};
const { positionals, values } = readFlags();

function readFlags() {
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    return fail(flagFault(error, Object.keys(options)));
  }
}

function fail(message: string): never {
  process.stderr.write(`${asSentence(message)}\n`);
  process.exit(1);
}

function needed(name: 'email' | 'project' | 'out'): string {
  const value = values[name];
  if (value === undefined) throw invalid(`--${name} is required`);
  return value;
}

async function readPassword(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Password (12 characters or more), then Ctrl+D: ');
  const password = Password.safeParse((await text(process.stdin)).replace(/\r?\n$/, ''));
  if (!password.success)
    throw invalid(
      `the password, read from standard input, must have ${password.error.issues[0]?.message ?? 'at most 200 characters'}`,
    );
  return password.data;
}

async function ownerCreate(ctx: Ctx): Promise<Result> {
  const parsed = Email.safeParse(needed('email'));
  if (!parsed.success)
    throw invalid(`--email ${parsed.error.issues[0]?.message ?? 'is not valid'}`);
  const email = parsed.data;
  const name = Name.safeParse(values.name ?? email);
  if (!name.success) throw invalid(`--name ${name.error.issues[0]?.message ?? 'is not valid'}`);
  const { userId } = await createOwner(ctx, {
    email,
    name: name.data,
    password: await readPassword(),
  });
  return { user_id: userId, email, text: `owner ${email} created` };
}

async function projectsCreate(ctx: Ctx, slug: string | undefined): Promise<Result> {
  if (slug === undefined)
    throw invalid('the short name of the project is required: assay projects create SLUG');
  const input = CreateProject.safeParse({ slug, name: values.name ?? slug });
  if (!input.success)
    throw invalid(
      issueDetails(input.error.issues)
        .map((issue) => fieldSentence(issue))
        .join(' '),
    );
  const project = await (values.simulated ? createSimulatedProject : createProject)(
    ctx,
    system,
    input.data,
  );
  await assignToOperator(ctx, project.id);
  return { ...project, text: `project ${project.slug} created` };
}

/** @throws AssayError invalid_request (no slug), not_found */
function openNamed(ctx: Ctx, slug: string): Promise<ProjectCtx> {
  const read = Slug.safeParse(slug);
  if (!read.success) throw invalid(`--project ${read.error.issues[0]?.message ?? 'is not valid'}`);
  return openProjectAsSystem(ctx, read.data, 'command line').catch((error: unknown) => {
    if (error instanceof AssayError && error.code === 'not_found')
      throw invalid(`there is no project "${slug}" in this installation`);
    throw error;
  });
}

async function keysCreate(ctx: Ctx, slug: string, scopes: string): Promise<Result> {
  const input = CreateKey.safeParse({
    name: values.name ?? 'command line',
    scopes: scopes.split(',').map((scope) => scope.trim()),
    expiresInDays: wholeNumber('expires-in-days'),
  });
  if (!input.success) {
    const issue = input.error.issues[0];
    const faults: Readonly<Record<string, string>> = {
      name: `--name ${issue?.message}`,
      expiresInDays: '--expires-in-days must be a whole number from 1 to 3650',
    };
    const fault = faults[String(issue?.path[0])];
    throw invalid(fault ?? `--scopes must be a list of ${KeyScope.options.join(', ')}`);
  }
  const project = await openNamed(ctx, slug);
  const { id, key, expiresAt } = await createKey(project, input.data);
  return {
    id,
    key,
    project: slug,
    simulated: project.simulated,
    scopes: input.data.scopes,
    expires_at: expiresAt,
    text: key,
  };
}

/** NaN for a text that is not a number, which the schema of the input refuses. */
function wholeNumber(name: 'expires-in-days' | 'grace-hours'): number | undefined {
  const value = values[name];
  return value === undefined ? undefined : /^\d+$/.test(value) ? Number(value) : Number.NaN;
}

async function keysRotate(ctx: Ctx, id: string | undefined): Promise<Result> {
  if (id === undefined)
    throw invalid('the id of a key is required: assay keys rotate ID --project SLUG');
  const input = RotateKey.safeParse({ id, graceHours: wholeNumber('grace-hours') });
  if (!input.success) throw invalid('--grace-hours must be a whole number from 0 to 720');
  const project = await openNamed(ctx, needed('project'));
  const { key, oldWorksUntil, expiresAt, ...made } = await rotateKey(project, input.data);
  return {
    ...made,
    key,
    project: project.projectSlug,
    expires_at: expiresAt,
    old_works_until: oldWorksUntil,
    text: key,
  };
}

async function init(ctx: Ctx): Promise<Result> {
  const slug = needed('project');
  const owner = await ownerCreate(ctx);
  const project = await projectsCreate(ctx, slug);
  const key = await keysCreate(ctx, slug, values.scopes ?? defaultScopes.join(','));
  return {
    email: owner.email,
    project: slug,
    key: key.key,
    project_id: project.id,
    text: `owner ${String(owner.email)} and project ${slug} created; the key, shown once:\n${key.text}`,
  };
}

async function ownerLink(ctx: Ctx): Promise<Result> {
  const url = await issueOwnerLink(ctx);
  if (url === null && !values.json)
    throw invalid(
      'this installation already has an owner; assay owner password-link sets another password',
    );
  return { url, text: String(url) };
}

/**
 * For an account whose password is lost. Runs only on the server machine, where the operator has
 * full access anyway.
 */
async function ownerPasswordLink(ctx: Ctx): Promise<Result> {
  const email = Email.safeParse(needed('email'));
  if (!email.success) throw invalid(`--email ${email.error.issues[0]?.message ?? 'is not valid'}`);
  const { url } = await issuePasswordLinkByEmail(ctx, system, email.data);
  return { url, text: url };
}

async function ownerTurnOffTwoStep(ctx: Ctx): Promise<Result> {
  const email = Email.safeParse(needed('email'));
  if (!email.success) throw invalid(`--email ${email.error.issues[0]?.message ?? 'is not valid'}`);
  await turnOffSecondFactor(ctx, system, email.data);
  return {
    email: email.data,
    text: `two-step sign-in of ${email.data} is off; its sessions have ended`,
  };
}

/** Run after a change of ASSAY_SECRET, with the previous value in ASSAY_SECRET_PREVIOUS. */
async function secretsRewrap(ctx: Ctx): Promise<Result> {
  const { rewrapped, current, unreadable } = await rewrapSecrets(ctx);
  const failed =
    unreadable.length === 0
      ? ''
      : `\ncould not be decrypted; enter them again:\n${unreadable.join('\n')}`;
  return {
    rewrapped,
    current,
    unreadable,
    text: `${rewrapped} secrets encrypted with the current key, ${current} were already${failed}`,
  };
}

async function backup(ctx: Ctx): Promise<Result> {
  const written = await writeBackup(ctx, backupPlace(needed('out')));
  return {
    ...written,
    text: `${written.file}: ${written.rows} rows of ${written.tables} tables, ${written.bytes} bytes, as of ${written.at}`,
  };
}

/**
 * Restores the backup, then reapplies the deletions made since it, from the given list or the one
 * in the data folder.
 */
async function restore(ctx: Ctx, file: string | undefined): Promise<Result> {
  if (file === undefined) throw invalid('a backup file is required: assay restore FILE');
  const restored = await restoreBackup(ctx, backupPlace(file), {
    withoutSecrets: values['without-secrets'],
  });
  const list = listOfDeletions(ctx);
  const deletions = list === null ? 0 : await reapplyDeletions(ctx, list);
  const secrets =
    restored.secretsLeftOut === 0
      ? ''
      : `\n${restored.secretsLeftOut} providers and destinations are switched off: enter their keys again`;
  const reapplied =
    list === null ? 'no list of deletions was found' : `${deletions} deletions were applied again`;
  return {
    ...restored,
    deletions,
    text: `${restored.rows} rows of ${restored.tables} tables are back, as of ${restored.at}; ${reapplied}${secrets}`,
  };
}

function listOfDeletions({ env }: Ctx): string | null {
  if (values.deletions !== undefined) return fromCaller(values.deletions);
  const ownDeletionsFile = env.dataDir === null ? null : join(env.dataDir, deletionsFile);
  return ownDeletionsFile !== null && existsSync(ownDeletionsFile) ? ownDeletionsFile : null;
}

async function exportProject(ctx: Ctx): Promise<Result> {
  const [, verb, file] = positionals;
  if (verb === 'check') {
    if (file === undefined) throw invalid('an export file is required: assay export check FILE');
    const checked = await checkExport(fromCaller(file));
    return { ...checked, text: `whole: ${checked.lines} lines, ${countsText(checked.counts)}` };
  }
  const project = await openNamed(ctx, needed('project'));
  const out = fromCaller(needed('out'));
  const written = await writeExport(project, out);
  return {
    file: out,
    ...written,
    text: `${out}: ${written.lines} lines, ${countsText(written.counts)}`,
  };
}

const countsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, n]) => `${n} ${name}`)
    .join(', ') || 'nothing';

/** Paths are relative to the caller's folder, which differs from this process's. */
const fromCaller = (path: string): string => resolve(environment.ASSAY_CALLER_DIR ?? '.', path);

/** A file, or an address of object storage. */
const backupPlace = (text: string): string => (text.startsWith('s3://') ? text : fromCaller(text));

const marks = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' };

/** Prints the findings; the exit code is 1 if a check failed. */
async function doctor(ctx: Ctx): Promise<Result> {
  const checks = await diagnose(ctx, { checkSchema });
  const isHealthy = checks.every(({ state }) => state !== 'failed');
  if (!isHealthy) process.exitCode = 1;
  const lines = checks.flatMap(({ check, state, found, fix }) => [
    `${marks[state]}  ${check.padEnd(12)}${asSentence(found)}`,
    ...(fix === null ? [] : [`${' '.repeat(21)}${fix}`]),
  ]);
  return { healthy: isHealthy, checks, text: lines.join('\n') };
}

async function run(ctx: Ctx): Promise<Result> {
  const [noun, verb] = positionals;
  const command = verb === undefined ? noun : `${noun} ${verb}`;
  if (positionals[0] === 'backup') return backup(ctx);
  if (positionals[0] === 'export') return exportProject(ctx);
  if (command === 'init') return init(ctx);
  if (command === 'owner-link') return ownerLink(ctx);
  if (command === 'owner create') return ownerCreate(ctx);
  if (command === 'owner password-link') return ownerPasswordLink(ctx);
  if (command === 'owner turn-off-two-step') return ownerTurnOffTwoStep(ctx);
  if (command === 'projects create') return projectsCreate(ctx, positionals[2]);
  if (command === 'keys create')
    return keysCreate(ctx, needed('project'), values.scopes ?? defaultScopes.join(','));
  if (command === 'keys rotate') return keysRotate(ctx, positionals[2]);
  if (command === 'secrets rewrap') return secretsRewrap(ctx);
  const verbs = commandVerbs[noun ?? ''];
  if (verbs !== undefined)
    throw invalid(`assay ${noun} needs one of ${verbs.join(', ')}; assay --help explains them`);
  throw invalid(`there is no command "${positionals.join(' ')}"; assay --help lists the commands`);
}

/**
 * A restore needs an empty database, which has no schema yet, and `doctor` reports its findings.
 */
async function runCommand(ctx: Ctx): Promise<Result> {
  const [command, file] = positionals;
  if (command === 'restore') return restore(ctx, file);
  if (command === 'doctor') return doctor(ctx);
  await checkSchema(ctx.sql);
  return run(ctx);
}

async function main(): Promise<void> {
  const runtime = createRuntime('admin', null, { ...environment, ASSAY_LOG_LEVEL: 'silent' });
  try {
    const { text: line, ...result } = await runCommand(runtime.ctx);
    process.stdout.write(`${values.json ? JSON.stringify(result) : line}\n`);
  } finally {
    await runtime.close();
  }
}

main().catch((error: unknown) => {
  fail(faultText(error));
});
