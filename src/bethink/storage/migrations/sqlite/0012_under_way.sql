-- What all server processes of a store have to know of one another: which turns and runs are under way, and who signed
-- out.

-- A turn or a run that a process plays, until an instant by which it has said so again. `place` is a digest of where;
-- whoever wants it stopped sets `stop` to 1, and the process that plays it looks, and sets it to 2 once it has.
create table work_under_way (
  tenant_id text not null,
  place text not null,
  work text not null,
  stop bigint not null,
  until bigint not null,
  primary key (tenant_id, place, work)
) without rowid;

-- The visit of a browser that was ended before its cookie runs out, until that instant.
create table ended_visits (
  tenant_id text not null,
  visit text not null,
  until bigint not null,
  primary key (tenant_id, visit)
) without rowid;
