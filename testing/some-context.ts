/**
 * A source without figures. A rule verifies no turn that came without any source (online.md 2), so
 * turns of tests that await a verdict name this one.
 */
export const SOME_CONTEXT = [{ id: 'c-1', content: 'A note without numbers.' }];
