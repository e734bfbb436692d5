import type { DeviceKey } from '../../en/consent.ts';

/** The page for devices that show a code, in Spanish. */
export const esDevices: Readonly<Record<DeviceKey, string>> = {
  'device.title': 'Conectar un dispositivo',
  'device.label': 'Código del dispositivo',
  'device.continue': 'Continuar',
  'device.warning':
    'Permítelo solo si tienes el dispositivo delante. Nadie que te escriba o te llame necesita tu código.',
  'device.code': 'El dispositivo muestra este código:',
  'device.program': 'Su programa: {program}',
  'device.program.unknown': 'El dispositivo no indica su programa.',
  'device.network.same': 'Está en la misma red que este navegador: {network}',
  'device.network.other': 'Está en otra red que este navegador: {network}',
  'device.network.unknown': 'No se conoce la red del dispositivo.',
  'device.done.title': 'El dispositivo está conectado',
  'device.done.text': 'Vuelve al dispositivo. Puedes cerrar esta página.',
  'device.denied': 'Se ha denegado el acceso al dispositivo. Puedes cerrar esta página.',
};
