import { type TaskReply, verifyTask } from './tasks';

export const request =
  'Create server.py with a Flask API that has the route /api/tasks and a class Task, and models.py with a class User.';

/** One file is missing, another framework is used, and a function is a stub. */
export const server = [
  'from fastapi import FastAPI',
  'app = FastAPI()',
  'class Task:',
  "    title = 'a <b>task</b>'",
  "@app.get('/api/tasks')",
  'def tasks():',
  '    pass',
].join('\n');

/** By default the first attempt of a small model at the request above. */
export function verifyCode(body: object): Promise<TaskReply> {
  return verifyTask(
    {
      request,
      model: 'e2e/coder-7b',
      wait_ms: 60_000,
      files: [{ path: 'server.py', content: server }],
      ...body,
    },
    'code',
  );
}
