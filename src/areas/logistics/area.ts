import { defineArea } from '#kit/model/area.ts'

export const area = defineArea({
  name: 'logistics',
  key: 'logistics',
  icon: 'logistics',
  order: 70,
  dependsOn: ['orders', 'members', 'organisation', 'products'],
  screens: {
    'base-product': { route: '/logistics/baseProduct', key: 'base-product' },
    'goods-kit': { route: '/logistics/product', key: 'logistics-product' },
    tracking: { route: '/order/logistics', key: 'order-logistics', partial: true },
    shipment: { route: '/order/sendGoods', key: 'order-sendGoods', partial: true },
    'shipment-approval': { route: '/order/examineSend', key: 'order-examineSend', partial: true },
  },
})
