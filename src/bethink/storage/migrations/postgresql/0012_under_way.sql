-- What all server processes of a store have to know of one another: which turns and runs are under way, and who signed
-- out.

-- A turn or a run that a process plays, until an instant by which it has said so again. `place` is a digest of where;
-- whoever wants it stopped sets `stop` to 1, and the process that plays it looks, and sets it to 2 once it has.
create table work_under_way (
  tenant_id text collate "C" not null,
  place text collate "C" not null,
  work text collate "C" not null,
  stop bigint not null,
  until bigint not null,
  primary key (tenant_id, place, work)
);

-- The visit of a browser that was ended before its cookie runs out, until that instant.
create table ended_visits (
  tenant_id text collate "C" not null,
  visit text collate "C" not null,
  until bigint not null,
  primary key (tenant_id, visit)
);

alter table work_under_way enable row level security;
alter table work_under_way force row level security;
create policy of_tenant on work_under_way
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));

alter table ended_visits enable row level security;
alter table ended_visits force row level security;
create policy of_tenant on ended_visits
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
