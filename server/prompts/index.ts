export { type PromptDefaults, readPromptDefaults } from './defaults';
export { getPrompt, getPromptBody, type PromptDetail, type PromptVersion } from './get';
export { listPrompts, type PromptSummary } from './list';
export { listPromoted } from './list-promoted';
export { moveLabel, moveLabelIn, requireUsable } from './move-label';
export { pinPrompt } from './pin';
export { previewPrompt } from './preview';
export { chooseText, type ResolvedPrompt, resolvePrompt } from './resolve';
export { lockPrompt, savePrompt } from './save';
