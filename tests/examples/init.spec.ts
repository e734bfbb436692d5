import { describeFreshReact } from './kit/fresh-react.ts';
import { describeFreshServer } from './kit/fresh-server.ts';

describeFreshReact('vite-react', { replaced: ['src/main.tsx', 'src/App.tsx', 'vite.config.ts'] });

describeFreshServer('express', {
  replaced: ['app.js'],
  command: ['--env-file=.env', 'app.js'],
  hello: 'Hello World!',
});
