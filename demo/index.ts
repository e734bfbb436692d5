import { PorticoUIClient } from 'portico';
import { startPage } from './parts/page.ts';

void startPage(PorticoUIClient);
