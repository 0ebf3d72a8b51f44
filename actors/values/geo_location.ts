import type { FaultList } from '#actors/values/fault_list.ts'
import {
  type FieldKind,
  fieldTable,
  type FieldValues,
  lineOf,
  listOf,
  numberOf,
  objectOf,
} from '#actors/values/field_table.ts'

const placeCharactersMax = 1_000
const pointsMax = 1_000
const polygonsMax = 100

const longitude = numberOf({ min: -180, max: 180 })
const latitude = numberOf({ min: -90, max: 90 })

const pointFields = fieldTable({
  longitude: {
    kind: longitude,
    required: true,
    about: 'Degrees east of Greenwich; west of it, negative.',
    example: -71.4,
    alsoCalled: ['point_longitude', 'lng', 'lon'],
  },
  latitude: {
    kind: latitude,
    required: true,
    about: 'Degrees north of the equator; south of it, negative.',
    example: 41.83,
    alsoCalled: ['point_latitude', 'lat'],
  },
})

/** A point on the earth in degrees, WGS 84. */
export type GeoPoint = FieldValues<typeof pointFields>

const pointKind: FieldKind<GeoPoint> = objectOf('GeoPoint', pointFields)

const boxFields = fieldTable({
  west: {
    kind: longitude,
    required: true,
    about: 'Westernmost longitude, in degrees.',
    example: -71.5,
    alsoCalled: ['west_bound_longitude'],
  },
  east: {
    kind: longitude,
    required: true,
    about: 'Easternmost longitude. Less than `west` for a box across 180 degrees.',
    example: -71.3,
    alsoCalled: ['east_bound_longitude'],
  },
  south: {
    kind: latitude,
    required: true,
    about: 'Southernmost latitude, in degrees.',
    example: 41.7,
    alsoCalled: ['south_bound_latitude'],
  },
  north: {
    kind: latitude,
    required: true,
    about: 'Northernmost latitude, in degrees.',
    example: 41.9,
    alsoCalled: ['north_bound_latitude'],
  },
})

/** A box; one whose west is greater than its east lies across the line of 180 degrees. */
export type GeoBox = FieldValues<typeof boxFields>

const boxKind: FieldKind<GeoBox> = objectOf('GeoBox', boxFields, (box, path, faults) => {
  if (box.south <= box.north) return box
  const message = `${path}.south (${box.south}) must not be north of ${path}.north (${box.north})`
  faults.add(`${path}.south`, 'bad_value', message)
  return undefined
})

const polygonFields = fieldTable({
  points: {
    kind: listOf(pointKind, pointsMax),
    required: true,
    about: 'Its corners in order; the last is the first one again.',
    example: [
      { longitude: -71.5, latitude: 41.7 },
      { longitude: -71.3, latitude: 41.7 },
      { longitude: -71.4, latitude: 41.9 },
      { longitude: -71.5, latitude: 41.7 },
    ],
  },
  inside: {
    byNeed: true,
    kind: pointKind,
    about: 'A point inside, needed where the polygon is larger than half of the earth.',
    example: { longitude: -71.4, latitude: 41.8 },
    alsoCalled: ['in_polygon_point'],
  },
})

/** A polygon, whose last point is the first one again; `inside` tells which side is meant. */
export type GeoPolygon = FieldValues<typeof polygonFields>

const polygonKind: FieldKind<GeoPolygon> = objectOf('GeoPolygon', polygonFields, closed)

/** A polygon that ends where it begins; one that does not is closed, with a warning. */
function closed(polygon: GeoPolygon, path: string, faults: FaultList): GeoPolygon | undefined {
  const { points } = polygon
  const [first, last] = [points[0], points.at(-1)]
  const isClosed = first?.longitude === last?.longitude && first?.latitude === last?.latitude
  const corners = isClosed ? points.length - 1 : points.length
  if (first === undefined || corners < 3) {
    const message = `${path}.points must have at least three corners, and the first one again`
    faults.add(`${path}.points`, 'bad_value', message)
    return undefined
  }
  if (isClosed) return polygon
  if (points.length === pointsMax) {
    const message = `${path}.points may have at most ${pointsMax} items with the first one again`
    faults.add(`${path}.points`, 'too_long', message)
    return undefined
  }
  const message = `${path}.points did not end where it begins: its first point was added`
  faults.warn(`${path}.points`, 'value_folded', message)
  return { ...polygon, points: [...points, first] }
}

const geoLocationFields = fieldTable({
  place: {
    kind: lineOf(placeCharactersMax),
    about: 'The place in words.',
    example: 'Narragansett Bay',
    alsoCalled: ['geo_location_place'],
  },
  point: {
    kind: pointKind,
    about: 'A point.',
    example: { longitude: -71.4, latitude: 41.83 },
    alsoCalled: ['geo_location_point'],
  },
  box: {
    byNeed: true,
    kind: boxKind,
    about: 'A box between two longitudes and two latitudes.',
    example: { west: -71.5, east: -71.3, south: 41.7, north: 41.9 },
    alsoCalled: ['geo_location_box'],
  },
  polygons: {
    byNeed: true,
    kind: listOf(polygonKind, polygonsMax),
    about: 'Polygons.',
    example: [
      {
        points: [
          { longitude: -71.5, latitude: 41.7 },
          { longitude: -71.3, latitude: 41.7 },
          { longitude: -71.4, latitude: 41.9 },
          { longitude: -71.5, latitude: 41.7 },
        ],
      },
    ],
    alsoCalled: ['geo_location_polygon'],
  },
})

/** Where data was gathered, or what place a work is about; one of its members is given. */
export type GeoLocation = FieldValues<typeof geoLocationFields>

/** The kind of a place on the earth. */
export const geoLocationKind: FieldKind<GeoLocation> = objectOf(
  'GeoLocation',
  geoLocationFields,
  (location, path, faults) => {
    if (Object.keys(location).length > 0) return location
    const message = `${path} must have a place, a point, a box or polygons`
    faults.add(path, 'empty', message)
    return undefined
  },
)
