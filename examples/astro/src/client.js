import { PorticoUIClient } from 'portico/standalone';

const { apiUrl, publicToken } = document.body.dataset;

export const client = new PorticoUIClient(publicToken, { apiUrl });
