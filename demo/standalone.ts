import { PorticoUIClient } from 'portico/standalone';
import { startPage } from './parts/page.ts';

void startPage(PorticoUIClient);
