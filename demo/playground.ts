import { loadBuild } from './parts/build.ts';
import { startPage } from './parts/page.ts';

void loadBuild().then(({ PorticoUIClient }) => startPage(PorticoUIClient));
