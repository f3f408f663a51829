import { inject, test as base } from 'vitest';
import { createTestDatabase, createTestProject, createTestRuntime } from './database';
import { startScriptedLlm } from './scripted-llm';

const onDatabase = base.extend('database', { scope: 'file' }, async ({}, { onCleanup }) => {
  const database = await createTestDatabase(inject('databaseUrl'));
  onCleanup(() => database.drop());
  return database;
});

/**
 * Resources of an integration test, created when its file first requests one, and closed and
 * dropped after the file's last test: a migrated database, a runtime on it, a project in it. If
 * functions of the file need one of them too, `test.beforeAll` stores it in a variable.
 */
export const test = testWith();

/** The same with variables for the runtime. */
export function testWith(variables: Readonly<Record<string, string>> = {}) {
  return onDatabase
    .extend('runtime', { scope: 'file' }, ({ database }, { onCleanup }) => {
      const runtime = createTestRuntime(database.url, variables);
      onCleanup(() => runtime.close());
      return runtime;
    })
    .extend('project', { scope: 'file' }, ({ runtime }) => createTestProject(runtime));
}

/** The same with a scripted provider of models, which the runtime may call. */
export const testWithLlm = testWithLlmAnd();

/** The same with variables for the runtime. */
export function testWithLlmAnd(variables: Readonly<Record<string, string>> = {}) {
  return onDatabase
    .extend('llm', { scope: 'file' }, async ({}, { onCleanup }) => {
      const llm = await startScriptedLlm();
      onCleanup(() => llm.close());
      return llm;
    })
    .extend('runtime', { scope: 'file' }, ({ database, llm }, { onCleanup }) => {
      const runtime = createTestRuntime(database.url, {
        ASSAY_OUTBOUND_ALLOW: new URL(llm.origin).host,
        ...variables,
      });
      onCleanup(() => runtime.close());
      return runtime;
    })
    .extend('project', { scope: 'file' }, ({ runtime }) => createTestProject(runtime));
}
