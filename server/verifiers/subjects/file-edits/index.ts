import {
  messageText,
  isBlank,
  jsonAsText,
  type SubjectFile,
  type SubjectTool,
} from '../../../domain';
import { isObject } from '../json-value';
import { applyAnswer } from './answer-files';
import type { Call } from './call-arguments';
import { formOf } from './forms';
import { finalContent, hasFailed } from './tool-text';
import { EditProblem, type FileEditNote, pathOf, Workspace } from './workspace';

export type { FileEditNote } from './workspace';

/** What an agent did and said; texts of the user where they are known. */
export interface Work {
  readonly tools: readonly SubjectTool[];
  readonly output: unknown;
  readonly messages?: readonly { readonly role: string; readonly content?: unknown }[];
}

export interface FileEdits {
  /** What was written, as far as its whole content is known. */
  readonly files: readonly SubjectFile[];
  /** What could not be applied; such a file is left out until its whole content is known again. */
  readonly notes: readonly FileEditNote[];
}

/** Notes of one work. */
const NOTES_MAX = 200;

/**
 * Files that calls of tools wrote, applied in order. A call that failed changes nothing. Where no
 * call writes files, those that are in the answer.
 */
export function readFileEdits({ tools, output, messages = [] }: Work): FileEdits {
  const workspace = new Workspace();
  const notes: FileEditNote[] = [];
  let writes = 0;
  const noteFor = (call: string) => (problem: EditProblem) => {
    if (problem.path !== '') workspace.lose(problem.path);
    if (notes.length < NOTES_MAX)
      notes.push({ path: pathOf(problem.path), call, problem: problem.message });
  };
  for (const tool of tools) {
    const call = callOf(tool, noteFor(tool.id));
    const form = formOf(call);
    if (form === null) continue;
    if (form.writes) writes++;
    if (hasFailed(tool)) continue;
    attempt(() => {
      form.apply(call, workspace);
    }, call.onProblem);
    const final = form.writes ? finalContent(tool.result) : null;
    if (final !== null)
      attempt(() => {
        workspace.write(final.path, final.content);
      }, call.onProblem);
  }
  const answer = jsonAsText(output);
  if (writes === 0 && !isBlank(answer)) {
    const said = messages
      .filter(({ role }) => role === 'user')
      .map(({ content }) => messageText(content));
    attempt(() => applyAnswer(workspace, answer, said, noteFor('output')), noteFor('output'));
  }
  return { files: workspace.written(), notes };
}

function callOf(tool: SubjectTool, onProblem: Call['onProblem']): Call {
  const { arguments: sent } = tool;
  return {
    tool,
    args: isObject(sent) ? sent : {},
    text: typeof sent === 'string' ? sent : null,
    onProblem,
  };
}

function attempt(run: () => void, onProblem: (problem: EditProblem) => void): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof EditProblem)) throw error;
    onProblem(error);
  }
}
