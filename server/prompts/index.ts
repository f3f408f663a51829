export { type PromptDefault, type PromptDefaults, readPromptDefaults } from './defaults';
export type { PromptFront, PromptIssue, PromptOutput } from './front-matter';
export { getPrompt, getPromptBody, type PromptDetail, type PromptVersion } from './get';
export { listPrompts, type PromptSummary } from './list';
export { moveLabel } from './move-label';
export { pinPrompt } from './pin';
export { previewPrompt, type PromptPreview } from './preview';
export { type FellBack, type ResolvedPrompt, resolvePrompt } from './resolve';
export { savePrompt } from './save';
