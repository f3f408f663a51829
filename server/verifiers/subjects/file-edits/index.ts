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

/** An agent's calls and answer; the user's texts, if known. */
export interface Work {
  readonly tools: readonly SubjectTool[];
  readonly output: unknown;
  readonly messages?: readonly { readonly role: string; readonly content?: unknown }[];
}

export interface FileEdits {
  /** The written files whose whole content is known. */
  readonly files: readonly SubjectFile[];
  /**
   * Calls that could not be applied; their files are omitted until their whole content is known
   * again.
   */
  readonly notes: readonly FileEditNote[];
}

/** Maximum number of notes per subject. */
const NOTES_MAX = 200;

/**
 * The files that tool calls wrote, applied in order. A failed call changes nothing. If no call
 * writes files, returns the files in the answer.
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
    const userTexts = messages
      .filter(({ role }) => role === 'user')
      .map(({ content }) => messageText(content));
    attempt(() => applyAnswer(workspace, answer, userTexts, noteFor('output')), noteFor('output'));
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
