import { App } from 'cdktf';
import { exitOnMistake } from 'cdktf-secure-connectivity';
import { AgentService } from './stack.js';

exitOnMistake(() => {
  const app = new App();
  new AgentService(app, 'agent-service');
  app.synth();
});
