import { LangChainInstrumentation } from '@arizeai/openinference-instrumentation-langchain';
import * as callbacks from '@langchain/core/callbacks/manager';
import { assay } from './conversation.mjs';
import { runAgent } from './langchain-agent.mjs';
import { provider } from './tracing.mjs';

new LangChainInstrumentation({ tracerProvider: provider }).manuallyInstrument(callbacks);
await runAgent({ metadata: { session_id: assay.session } });
await provider.shutdown();
