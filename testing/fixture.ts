import { inject, test as base } from 'vitest';
import { createTestDatabase, createTestProject, createTestRuntime } from './database';
import { startScriptedLlm } from './scripted-llm';

const onDatabase = base.extend('database', { scope: 'file' }, async ({}, { onCleanup }) => {
  const database = await createTestDatabase(inject('databaseUrl'));
  onCleanup(() => database.drop());
  return database;
});

/**
 * Resources of an integration test: a migrated database, a runtime on it, a project in it. They are
 * created when the file's first test requests them, and closed and dropped after its last test. If
 * functions of the file also need one, store it in a variable in `test.beforeAll`.
 */
export const test = testWith();

/** The same, with variables for the runtime. */
export function testWith(variables: Readonly<Record<string, string>> = {}) {
  return onDatabase
    .extend('runtime', { scope: 'file' }, ({ database }, { onCleanup }) => {
      const runtime = createTestRuntime(database.url, variables);
      onCleanup(() => runtime.close());
      return runtime;
    })
    .extend('project', { scope: 'file' }, ({ runtime }) => createTestProject(runtime));
}

/** The same, with a scripted model provider that the runtime may call. */
export const testWithLlm = testWithLlmAnd();

/** The same, with variables for the runtime. */
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
