import type { DeviceKey } from '../../en/consent.ts';

/** The page for devices that show a code, in Portuguese. */
export const ptDevices: Readonly<Record<DeviceKey, string>> = {
  'device.title': 'Conectar um dispositivo',
  'device.label': 'Código do dispositivo',
  'device.continue': 'Continuar',
  'device.warning':
    'Permita apenas um dispositivo que esteja na sua frente. Ninguém que escreva ou ligue para você precisa do seu código.',
  'device.code': 'O dispositivo mostra este código:',
  'device.program': 'O programa dele: {program}',
  'device.program.unknown': 'O dispositivo não informa o programa.',
  'device.network.same': 'Está na mesma rede que este navegador: {network}',
  'device.network.other': 'Está em outra rede que não a deste navegador: {network}',
  'device.network.unknown': 'A rede do dispositivo não é conhecida.',
  'device.done.title': 'O dispositivo está conectado',
  'device.done.text': 'Volte ao dispositivo. Você pode fechar esta página.',
  'device.denied': 'O acesso do dispositivo foi negado. Você pode fechar esta página.',
};
